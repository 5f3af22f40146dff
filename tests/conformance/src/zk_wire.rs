//! ZooKeeper's protocol, as much of it as a line of sessions needs: one connection of one session, one request at a time.
//!
//! A frame is its length and its content; numbers are big-endian, texts and lists have their length before them. What nobody asked for (a watch
//! that fires) comes between answers, and always before the answer to what was asked after it happened.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::time::Duration;

/// What a request is, by its number.
const DELETE: i32 = 2;
const EXISTS: i32 = 3;
const SET_DATA: i32 = 5;
const GET_CHILDREN: i32 = 8;
const PING: i32 = 11;
const CHECK: i32 = 13;
const MULTI: i32 = 14;
const CREATE: i32 = 15;
const CREATE_CONTAINER: i32 = 19;
const CLOSE: i32 = -11;

/// What a node is, when it is created.
pub const PERSISTENT: i32 = 0;
pub const EPHEMERAL_SEQUENTIAL: i32 = 3;
pub const CONTAINER: i32 = 4;

/// Errors, by their number.
pub const NO_NODE: i32 = -101;
pub const NODE_EXISTS: i32 = -110;
pub const SESSION_EXPIRED: i32 = -112;

const DELETED: i32 = 2;
const ANY_VERSION: i32 = -1;

/// A request came to nothing.
#[derive(Debug)]
pub enum Error {
    /// The server says so, by number.
    Code(i32),
    /// The connection is broken, or nobody answers.
    Connection(io::Error),
}

impl From<io::Error> for Error {
    fn from(error: io::Error) -> Error {
        Error::Connection(error)
    }
}

type Result<T> = std::result::Result<T, Error>;

/// What a session is known by.
#[derive(Clone, Debug)]
pub struct Pass {
    pub id: i64,
    password: Vec<u8>,
    timeout_ms: i32,
}

pub struct Connection {
    stream: TcpStream,
    pub pass: Pass,
    next: i32,
    /// Paths of nodes that were watched and have been deleted.
    pub deleted: Vec<String>,
}

/// What is known of a node.
#[derive(Clone, Copy, Debug)]
pub struct Stat {
    /// Number of the change that created it.
    pub czxid: i64,
    /// How often its data was changed.
    pub version: i32,
    /// The session that it hangs on.
    pub owner: i64,
}

impl Connection {
    /// Opens a session.
    pub fn open(port: u16, timeout_ms: i32) -> Result<Connection> {
        Connection::connect(port, Pass { id: 0, password: vec![0; 16], timeout_ms })
    }

    /// Connects for a session that has been opened before. An error if it is over.
    pub fn again(port: u16, pass: Pass) -> Result<Connection> {
        Connection::connect(port, pass)
    }

    fn connect(port: u16, pass: Pass) -> Result<Connection> {
        let stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port))?;
        stream.set_read_timeout(Some(Duration::from_secs(60)))?;
        stream.set_nodelay(true)?;
        let mut connection = Connection { stream, pass, next: 0, deleted: Vec::new() };
        let Pass { id, password, timeout_ms } = &connection.pass;
        let mut hello = Writer::default();
        hello.int(0).long(0).int(*timeout_ms).long(*id).buffer(password).byte(0);
        connection.send(&hello)?;
        let mut answer = Reader(&connection.receive()?);
        answer.int();
        let timeout_ms = answer.int();
        let id = answer.long();
        let password = answer.buffer().to_vec();
        if timeout_ms <= 0 {
            return Err(Error::Code(SESSION_EXPIRED));
        }
        connection.pass = Pass { id, password, timeout_ms };
        Ok(connection)
    }

    pub fn timeout_ms(&self) -> i32 {
        self.pass.timeout_ms
    }

    /// The path that it got, and what is known of it.
    pub fn create(&mut self, path: &str, flags: i32) -> Result<(String, Stat)> {
        let mut body = Writer::default();
        body.text(path).buffer(b"").int(1).int(31).text("world").text("anyone").int(flags);
        let kind = if flags == CONTAINER { CREATE_CONTAINER } else { CREATE };
        let answer = self.call(kind, &body)?;
        let mut answer = Reader(&answer);
        Ok((answer.text(), answer.stat()))
    }

    pub fn delete(&mut self, path: &str) -> Result<()> {
        let mut body = Writer::default();
        body.text(path).int(ANY_VERSION);
        self.call(DELETE, &body).map(|_| ())
    }

    pub fn exists(&mut self, path: &str, watch: bool) -> Result<Stat> {
        let mut body = Writer::default();
        body.text(path).byte(u8::from(watch));
        Ok(Reader(&self.call(EXISTS, &body)?).stat())
    }

    /// Names of the nodes below.
    pub fn children(&mut self, path: &str) -> Result<Vec<String>> {
        let mut body = Writer::default();
        body.text(path).byte(0);
        let answer = self.call(GET_CHILDREN, &body)?;
        let mut answer = Reader(&answer);
        Ok((0..answer.int()).map(|_| answer.text()).collect())
    }

    pub fn set_data(&mut self, path: &str) -> Result<Stat> {
        let mut body = Writer::default();
        body.text(path).buffer(b"x").int(ANY_VERSION);
        Ok(Reader(&self.call(SET_DATA, &body)?).stat())
    }

    /// In one step: the first node is there with this version, and the data of the second is changed.
    pub fn check_and_set(&mut self, path: &str, version: i32, data: &str) -> Result<()> {
        let mut body = Writer::default();
        body.int(CHECK).byte(0).int(-1).text(path).int(version);
        body.int(SET_DATA).byte(0).int(-1).text(data).buffer(b"x").int(ANY_VERSION);
        body.int(-1).byte(1).int(-1);
        let answer = self.call(MULTI, &body)?;
        // Each part answers; the first that failed says why.
        let mut answer = Reader(&answer);
        let kind = answer.int();
        answer.byte();
        let code = answer.int();
        if kind == -1 { Err(Error::Code(if code != 0 { code } else { answer.int() })) } else { Ok(()) }
    }

    pub fn ping(&mut self) -> Result<()> {
        let mut frame = Writer::default();
        frame.int(-2).int(PING);
        self.send(&frame)?;
        self.answer(-2).map(|_| ())
    }

    /// Ends the session.
    pub fn close(mut self) -> Result<()> {
        self.call(CLOSE, &Writer::default()).map(|_| ())
    }

    fn call(&mut self, kind: i32, body: &Writer) -> Result<Vec<u8>> {
        self.next += 1;
        let number = self.next;
        let mut frame = Writer::default();
        frame.int(number).int(kind).0.extend(&body.0);
        self.send(&frame)?;
        self.answer(number)
    }

    /// The answer to this request, without its header.
    fn answer(&mut self, number: i32) -> Result<Vec<u8>> {
        loop {
            let frame = self.receive()?;
            let mut reader = Reader(&frame);
            let (of, _, code) = (reader.int(), reader.long(), reader.int());
            if of == -1 {
                let (kind, _) = (reader.int(), reader.int());
                if kind == DELETED {
                    self.deleted.push(reader.text());
                }
                continue;
            }
            assert_eq!(of, number, "one request at a time");
            return if code == 0 { Ok(reader.0.to_vec()) } else { Err(Error::Code(code)) };
        }
    }

    fn send(&mut self, body: &Writer) -> io::Result<()> {
        let mut frame = Writer::default();
        frame.buffer(&body.0);
        self.stream.write_all(&frame.0)
    }

    fn receive(&mut self) -> io::Result<Vec<u8>> {
        let mut length = [0; 4];
        self.stream.read_exact(&mut length)?;
        let mut frame = vec![0; usize::try_from(i32::from_be_bytes(length)).expect("a length")];
        self.stream.read_exact(&mut frame)?;
        Ok(frame)
    }
}

#[derive(Default)]
struct Writer(Vec<u8>);

impl Writer {
    fn byte(&mut self, byte: u8) -> &mut Writer {
        self.0.push(byte);
        self
    }

    fn int(&mut self, number: i32) -> &mut Writer {
        self.0.extend(number.to_be_bytes());
        self
    }

    fn long(&mut self, number: i64) -> &mut Writer {
        self.0.extend(number.to_be_bytes());
        self
    }

    fn buffer(&mut self, bytes: &[u8]) -> &mut Writer {
        self.int(i32::try_from(bytes.len()).expect("short")).0.extend(bytes);
        self
    }

    fn text(&mut self, text: &str) -> &mut Writer {
        self.buffer(text.as_bytes())
    }
}

struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    fn take(&mut self, number: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(number);
        self.0 = rest;
        taken
    }

    fn byte(&mut self) -> u8 {
        self.take(1)[0]
    }

    fn int(&mut self) -> i32 {
        i32::from_be_bytes(self.take(4).try_into().expect("four bytes"))
    }

    fn long(&mut self) -> i64 {
        i64::from_be_bytes(self.take(8).try_into().expect("eight bytes"))
    }

    fn buffer(&mut self) -> &'a [u8] {
        let length = self.int();
        self.take(usize::try_from(length).unwrap_or(0))
    }

    fn text(&mut self) -> String {
        String::from_utf8(self.buffer().to_vec()).expect("a text")
    }

    fn stat(&mut self) -> Stat {
        let czxid = self.long();
        self.take(8 + 8 + 8);
        let version = self.int();
        self.take(4 + 4);
        let owner = self.long();
        Stat { czxid, version, owner }
    }
}
