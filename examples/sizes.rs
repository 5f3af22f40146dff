use std::mem::size_of as s;
fn main() {
    use fencepost::base::*;
    use fencepost::protocol::*;
    use fencepost::trace::*;
    println!(
        "Payload {} Write {} Message {} Fact {} Grant {} Command {} Input {} TraceEvent {} Worker {}",
        s::<Payload>(),
        s::<message::Write>(),
        s::<Message>(),
        s::<Fact>(),
        s::<fact::Grant>(),
        s::<Command>(),
        s::<Input>(),
        s::<TraceEvent>(),
        s::<worker::Worker>()
    );
}
