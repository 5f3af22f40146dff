//! A link between two servers that a test holds in its hand: what is sent over it passes, waits, or is lost.
//!
//! A server connects to the port of the link instead of to the other server. Only what the other server sends waits: its answers are what
//! a replica lags behind with.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::thread;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Open,
    Held,
    /// For good, what waits included.
    Cut,
}

pub struct Link {
    port: u16,
    shared: Arc<Shared>,
}

struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    /// Both ends of every connection.
    ends: Mutex<Vec<TcpStream>>,
}

impl Link {
    /// To the server at this port.
    pub fn to(port: u16) -> Link {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let own = listener.local_addr().expect("a bound address").port();
        let shared =
            Arc::new(Shared { state: Mutex::new(State::Open), changed: Condvar::new(), ends: Mutex::default() });
        let accepting = shared.clone();
        thread::spawn(move || {
            for near in listener.incoming().map_while(Result::ok) {
                let Ok(far) = TcpStream::connect((Ipv4Addr::LOCALHOST, port)) else { continue };
                if *accepting.state() == State::Cut {
                    return;
                }
                let clone = |it: &TcpStream| it.try_clone().expect("a second handle");
                accepting.ends.lock().expect("nobody panics with it").extend([clone(&near), clone(&far)]);
                let (there, back) = ((clone(&near), clone(&far)), (far, near));
                thread::spawn(move || pump(there.0, there.1, None));
                let gate = accepting.clone();
                thread::spawn(move || pump(back.0, back.1, Some(&gate)));
            }
        });
        Link { port: own, shared }
    }

    pub fn port(&self) -> u16 {
        self.port
    }

    /// What is sent from here on waits.
    pub fn hold(&self) {
        self.shared.set(State::Held);
    }

    /// Everything passes, what has waited first.
    pub fn open(&self) {
        self.shared.set(State::Open);
    }

    /// What waits is lost, and so is the connection.
    pub fn cut(&self) {
        self.shared.set(State::Cut);
        for end in self.shared.ends.lock().expect("nobody panics with it").drain(..) {
            let _ = end.shutdown(Shutdown::Both);
        }
        // The one that waits for a connection gets one, and ends.
        let _ = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port));
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        self.cut();
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().expect("nobody panics with it")
    }

    fn set(&self, state: State) {
        *self.state() = state;
        self.changed.notify_all();
    }

    /// Waits while the link is held. False: it is cut.
    fn passes(&self) -> bool {
        let state = self.changed.wait_while(self.state(), |it| *it == State::Held);
        *state.expect("nobody panics with it") == State::Open
    }
}

fn pump(mut from: TcpStream, mut to: TcpStream, gate: Option<&Shared>) {
    let mut bytes = [0; 16 * 1024];
    while let Ok(number @ 1..) = from.read(&mut bytes) {
        if gate.is_some_and(|it| !it.passes()) || to.write_all(&bytes[..number]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Both);
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn what_is_held_passes_later_or_never() {
        let far = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("a free port");
        let link = Link::to(far.local_addr().expect("bound").port());
        let mut near = TcpStream::connect((Ipv4Addr::LOCALHOST, link.port())).expect("it listens");
        let (mut far, _) = far.accept().expect("it connects");
        let mut byte = [0];
        far.write_all(b"1").expect("open");
        near.read_exact(&mut byte).expect("open");
        link.hold();
        far.write_all(b"2").expect("held");
        near.write_all(b"a").expect("the other way is open");
        far.read_exact(&mut byte).expect("the other way is open");
        near.set_read_timeout(Some(Duration::from_millis(50))).expect("a time-out");
        assert!(near.read_exact(&mut byte).is_err(), "it is held");
        link.open();
        near.set_read_timeout(Some(Duration::from_secs(20))).expect("a time-out");
        near.read_exact(&mut byte).expect("open again");
        assert_eq!(byte, *b"2");
        link.hold();
        far.write_all(b"3").expect("held");
        link.cut();
        assert_eq!(near.read(&mut byte).expect("an end"), 0, "what waited is lost");
    }
}
