//! The examples of C11 6.10.3, and what gcc adds to them.

use super::{clean, error, run};

/// Equal but for white space outside strings.
fn becomes(text: &str, expected: &str) {
    assert_eq!(clean(text), clean(expected), "{text}");
}

#[test]
fn example_3_of_6_10_3_5_redefinition_and_reexamination() {
    becomes(
        "#define x 3
#define f(a) f(x * (a))
#undef x
#define x 2
#define g f
#define z z[0]
#define h g(~
#define m(a) a(w)
#define w 0,1
#define t(a) a
#define p() int
#define q(x) x
#define r(x,y) x ## y
#define str(x) # x
f(y+1) + f(f(z)) % t(t(g)(0) + t)(1);
g(x+(3,4)-w) | h 5) & m
(f)^m(m);
p() i[q()] = { q(1), r(2,3), r(4,), r(,5), r(,) };
char c[2][6] = { str(hello), str() };",
        "f(2 * (y+1)) + f(2 * (f(2 * (z[0])))) % f(2 * (0)) + t(1);
f(2 * (2+(3,4)-0,1)) | f(2 * (~ 5)) & f(2 * (0,1))^m(0,1);
int i[] = { 1, 23, 4, 5, };
char c[2][6] = { \"hello\", \"\" };",
    );
}

#[test]
fn example_4_of_6_10_3_5_strings_and_joined_tokens() {
    becomes(
        r#"#define str(s) # s
#define xstr(s) str(s)
#define debug(s, t) printf("x" # s "= %d, x" # t "= %s", \
 x ## s, x ## t)
#define INCFILE(n) vers ## n
#define glue(a, b) a ## b
#define xglue(a, b) glue(a, b)
#define HIGHLOW "hello"
#define LOW LOW ", world"
debug(1, 2);
fputs(str(strncmp("abc\0d", "abc", '\4') // this goes away
== 0) str(: @\n), s);
xstr(INCFILE(2).h);
glue(HIGH, LOW);
xglue(HIGH, LOW)"#,
        r#"printf("x1= %d, x2= %s", x1, x2);
fputs("strncmp(\"abc\\0d\", \"abc\", '\\4') == 0: @\n", s);
"vers2.h";
"hello";
"hello, world""#,
    );
}

#[test]
fn example_5_of_6_10_3_5_placemarkers() {
    becomes(
        "#define t(x,y,z) x ## y ## z
int j[] = { t(1,2,3), t(,4,5), t(6,,7), t(8,9,),
 t(10,,), t(,11,), t(,,12), t(,,) };",
        "int j[] = { 123, 45, 67, 89, 10, 11, 12, };",
    );
}

#[test]
fn example_6_of_6_10_3_5_equal_redefinitions_are_allowed_and_others_reported() {
    assert_eq!(
        clean(
            "#define OBJ_LIKE (1-1)
#define OBJ_LIKE /* white space */ (1-1) /* other */
#define FUNC_LIKE(a) ( a )
#define FUNC_LIKE( a )( /* note the white space */ \\
a /* other stuff on this line
*/ )"
        ),
        ""
    );
    for other in [
        "#define OBJ_LIKE (0)",
        "#define OBJ_LIKE (1 - 1)",
        "#define OBJ_LIKE() (1-1)",
    ] {
        let result = run(&format!("#define OBJ_LIKE (1-1)\n{other}\nOBJ_LIKE"));
        assert_eq!(
            result.warnings(),
            ["`OBJ_LIKE` is redefined with another meaning"]
        );
        assert_eq!(result.diagnostics[0].others[0].0, 8..16);
    }
    let result = run("#define F(b) ( b )\n#define F(a) ( a )");
    assert_eq!(result.warnings().len(), 1);
}

#[test]
fn example_7_of_6_10_3_5_variable_arguments() {
    becomes(
        r#"#define debug(...) fprintf(stderr, __VA_ARGS__)
#define showlist(...) puts(#__VA_ARGS__)
#define report(test, ...) ((test)?puts(#test):\
 printf(__VA_ARGS__))
debug("Flag");
debug("X = %d\n", x);
showlist(The first, second, and third items.);
report(x>y, "x is %d but y is %d", x, y);"#,
        r#"fprintf(stderr, "Flag" );
fprintf(stderr, "X = %d\n", x );
puts( "The first, second, and third items." );
((x>y)?puts("x>y"):
 printf("x is %d but y is %d", x, y));"#,
    );
}

#[test]
fn the_example_of_6_10_3_3_makes_no_operator() {
    becomes(
        "#define hash_hash # ## #
#define mkstr(a) # a
#define in_between(a) mkstr(a)
#define join(c, d) in_between(c hash_hash d)
char p[] = join(x, y);",
        "char p[] = \"x ## y\";",
    );
}

#[test]
fn a_name_in_its_own_expansion_is_left_alone() {
    // 6.10.3.4: neither directly nor through others, and not later either.
    assert_eq!(clean("#define foo foo a b c\nfoo"), "foo a b c");
    assert_eq!(clean("#define a b\n#define b a\na b"), "a b");
    assert_eq!(clean("#define f(x) x f\nf(1)(2)(3)"), "1 f ( 2 ) ( 3 )");
    assert_eq!(
        clean("#define f(x) f(x + 1)\nf(f(2))"),
        "f ( f ( 2 + 1 ) + 1 )"
    );
    // One of the two orders that 6.10.3.4p4 allows, as in gcc and clang.
    assert_eq!(
        clean("#define f(a) a*g\n#define g(a) f(a)\nf(2)(9)"),
        "2 * 9 * g"
    );
    // The brackets come from after the expansion of NIL, which is over by then.
    assert_eq!(
        clean("#define NIL(x) x\n#define G0(a) NIL(G1)(a)\n#define G1(a) NIL(a)\nG0(42)"),
        "42"
    );
}

#[test]
fn deferred_macros_make_loops() {
    // Each `EVAL` is one more scan, in which `LOOP` is over and its name is a new one.
    let text = "#define EMPTY()\n#define DEFER(x) x EMPTY()\n#define EVAL(...) __VA_ARGS__
#define LOOP() 1 DEFER(AGAIN)()()\n#define AGAIN() LOOP\n";
    assert_eq!(clean(&format!("{text}LOOP()")), "1 AGAIN ( ) ( )");
    let scans =
        |scans: usize| format!("{text}{}LOOP(){}", "EVAL(".repeat(scans), ")".repeat(scans));
    assert_eq!(clean(&scans(1)), "1 1 AGAIN ( ) ( )");
    // The inner argument is scanned for both: once more for `EVAL`, and once for its result.
    assert_eq!(clean(&scans(2)), "1 1 1 AGAIN ( ) ( )");
}

#[test]
fn a_function_like_macro_without_arguments_is_a_name() {
    assert_eq!(clean("#define f(x) [x]\nf + f\n(1) f"), "f + [ 1 ] f");
    assert_eq!(clean("#define f() 1\n#define g f\ng() g ()"), "1 1");
    assert_eq!(clean("#define f (x)\nf(1)"), "( x ) ( 1 )");
}

#[test]
fn strings_of_arguments_keep_single_spaces_where_there_was_white_space() {
    let text = "#define s(x) #x\ns(  a   +/**/b\n -c\t)";
    assert_eq!(clean(text), "\"a + b -c\"");
    assert_eq!(
        clean("#define s(x) #x\ns(\"a\\n\" '\"')"),
        r#""\"a\\n\" '\"'""#
    );
    // The first token of an expansion has the white space of what it replaces.
    let text =
        "#define s(x) #x\n#define t(x) s(x)\n#define A  b\n#define E\nt(A-A) t(- A) t(-E x) t(<E>)";
    assert_eq!(clean(text), r#""b-b- b- x<>""#);
    assert_eq!(
        error("#define s(x) #x\ns(\\)"),
        "\"\\\" is not a string literal"
    );
}

#[test]
fn a_comma_goes_with_the_arguments_that_are_left_out() {
    let text = "#define f(a, ...) g(a , ## __VA_ARGS__)\nf(1) f(1, 2, 3)";
    assert_eq!(clean(text), "g ( 1 ) g ( 1 , 2 , 3 )");
    // An empty argument is an argument.
    let text = "#define f(a, ...) g(a , ## __VA_ARGS__)\nf(1, )";
    assert_eq!(clean(text), "g ( 1 , )");
    assert_eq!(clean("#define f(...) g(a, ## __VA_ARGS__)\nf()"), "g ( a )");
    let text = "#define f(a, rest...) g(a, ## rest)\nf(1) f(1, 2, 3)";
    assert_eq!(clean(text), "g ( 1 ) g ( 1 , 2 , 3 )");
    assert_eq!(
        clean("#define f(rest...) #rest\nf(a, (b), c)"),
        "\"a, (b), c\""
    );
    // Macros in the arguments are expanded all the same.
    let text = "#define X 7\n#define f(a, ...) g(a, ##__VA_ARGS__)\nf(X, X)";
    assert_eq!(clean(text), "g ( 7 , 7 )");
}

#[test]
fn arguments_are_divided_at_outer_commas() {
    assert_eq!(
        clean("#define f(x, y) x;y\nf((1, 2), [3)"),
        "( 1 , 2 ) ; [ 3"
    );
    assert_eq!(
        clean("#define f(x, y) x;y\n#define c 1,2\nf(c, 3)"),
        "1 , 2 ; 3"
    );
    assert_eq!(clean("#define f(x) <x>\nf() f( )"), "< > < >");
    assert_eq!(clean("#define f(x, y) <x,y>\nf(,)"), "< , >");
}

#[test]
fn wrong_numbers_of_arguments_are_reported_with_the_definition() {
    let text = "#define f(x, y) x y\nf(1) + f(1, 2, 3);";
    let result = run(text);
    assert_eq!(
        result.errors(),
        [
            "the macro `f` takes 2 arguments, but 1 is given",
            "the macro `f` takes 2 arguments, but 3 are given",
        ]
    );
    assert_eq!(&text[result.diagnostics[1].span.clone()], "f(1, 2, 3)");
    assert_eq!(result.diagnostics[0].others[0].0, 8..9);
    // What is around them may be right: each counts as one operand.
    assert_eq!(result.text(), "0 + 0 ;");
    assert_eq!(
        error("#define f(x, y, ...) x y\nf(1)"),
        "the macro `f` takes at least 2 arguments, but 1 is given"
    );
    assert_eq!(
        error("#define f() x\nf(1)"),
        "the macro `f` takes 0 arguments, but 1 is given"
    );
    assert_eq!(
        error("#define f(x) x\nf(1"),
        "the arguments of the macro `f` do not end"
    );
}

#[test]
fn what_joins_to_no_token_is_reported() {
    assert_eq!(
        error("#define c(a, b) a ## b\nc(+, x)"),
        "`##` makes no token from `+` and `x`"
    );
    assert_eq!(
        error("#define c(a, b) a ## b\nc(/, /)"),
        "`##` makes no token from `/` and `/`"
    );
    assert_eq!(
        clean("#define c(a, b) a ## b\nc(x, 1) c(1, x) c(-, >) c(L, 'a')"),
        "x1 1x -> '97'"
    );
}

#[test]
fn wrong_definitions_are_reported() {
    for (text, message) in [
        ("#define", "a macro's name is missing here"),
        ("#define 3", "`3` cannot be a macro's name"),
        ("#define defined", "`defined` cannot be a macro's name"),
        (
            "#define f(x",
            "the list of parameters does not end: `)` is missing",
        ),
        ("#define f(x,)", "expected a parameter's name, found `)`"),
        ("#define f(x y)", "expected `,` or `)`, found `y`"),
        ("#define f(..., y)", "expected `)` after `...`"),
        ("#define f(x, x)", "two parameters are named `x`"),
        (
            "#define f(x) #y",
            "`#` must be followed by a parameter in a function-like macro",
        ),
        (
            "#define f ## x",
            "`##` joins two tokens: there must be one on each side",
        ),
        (
            "#define f x ##",
            "`##` joins two tokens: there must be one on each side",
        ),
        (
            "#define f(x) __VA_ARGS__",
            "`__VA_ARGS__` is allowed only in a macro with `...` among its parameters",
        ),
    ] {
        assert_eq!(error(text), message, "{text}");
    }
    assert_eq!(clean("#define f # x\nf"), "# x");
}
