//! Tests of the built-in headers.

use super::{clean, run};
use crate::c::headers::names;

#[test]
fn every_header_can_be_read_alone_and_twice_and_with_all_others() {
    let mut all = String::new();
    for name in names() {
        let include = format!("#include <{name}>\n");
        let once = clean(&include);
        assert_eq!(clean(&include.repeat(2)), once, "{name}");
        let (open, close) = (once.matches(['(', '{', '[']), once.matches([')', '}', ']']));
        assert_eq!(open.count(), close.count(), "{name}");
        all.push_str(&include);
    }
    clean(&all);
}

#[test]
fn names_are_in_order() {
    assert!(names().is_sorted());
}

#[test]
fn assert_follows_the_last_setting_of_ndebug() {
    let text = "#include <assert.h>\nassert(x);\n#define NDEBUG\n#include <assert.h>\nassert(y);";
    assert_eq!(clean(text), "__fencepost_assert ( x ) ; ( ( void ) 0 ) ;");
}

#[test]
fn kernel_macros_name_the_cells_that_they_access() {
    let after = |header: &str, text: &str| {
        let result = run(&format!("#include <{header}>\nMARK {text}"));
        assert!(result.diagnostics.is_empty(), "{:?}", result.diagnostics);
        let all = result.text();
        all.split_once("MARK ").expect("it is there").1.to_owned()
    };
    assert_eq!(
        after("linux/compiler.h", "READ_ONCE(p->x)"),
        "__fencepost_read_once ( & ( p -> x ) )"
    );
    assert_eq!(
        after("linux/atomic.h", "atomic_inc_return_acquire(&v)"),
        "__fencepost_atomic_add_return ( & ( & v ) -> counter , ( 1 ) , 2 )"
    );
    assert_eq!(
        after("lkmm.h", "atomic_dec_and_test(v)"),
        "( __fencepost_atomic_sub_return ( & ( v ) -> counter , ( 1 ) , 5 ) == 0 )"
    );
    assert_eq!(
        after(
            "linux/spinlock.h",
            "DEFINE_SPINLOCK(l); spin_lock_irqsave(&l, f);"
        ),
        "spinlock_t l = { 0 } ; ( ( f ) = 0 , spin_lock ( & l ) ) ;"
    );
    assert_eq!(
        after("linux/rcupdate.h", "rcu_assign_pointer(g, p);"),
        "smp_store_release ( & ( g ) , ( p ) ) ;"
    );
    assert_eq!(after("stdint.h", "INT64_C(5) INT32_MAX"), "5L 0x7fffffff");
    assert_eq!(after("inttypes.h", "PRIu64"), "\"lu\"");
    assert_eq!(after("stddef.h", "NULL"), "( ( void * ) 0 )");
}
