//: about `Default::default()` and `Clone::clone` by the type that is wanted
//: edition 2021
//: check sc holds
//: check tso holds
#[derive(Default, PartialEq, Debug)]
enum State { #[default] Idle, Busy(u32) }
#[derive(Default)]
struct Slot<T> { value: T, state: State }
struct Seven(u32);
impl Default for Seven { fn default() -> Self { Seven(7) } }
fn made<T: Default>() -> T { Default::default() }
fn of(seven: &Seven) -> u32 { seven.0 }
#[test]
fn t() {
    let slot: Slot<Seven> = Default::default();
    assert_eq!((slot.value.0, slot.state), (7, State::Idle));
    let busy: Slot<Seven> = Slot { state: State::Busy(2), ..made() };
    assert_eq!((busy.value.0, busy.state), (7, State::Busy(2)));
    assert_eq!(of(&Default::default()), 7);
    let boxed: Box<u32> = Clone::clone(&Box::new(3));
    assert_eq!(*boxed, 3);
}
