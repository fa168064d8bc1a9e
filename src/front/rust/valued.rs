//! Constants: their values as far as they are integers.

use super::names::{Named, Target};
use super::source::span;
use super::types::{Infer, Ty};
use super::unit::{Context, Res, Translator, words_of};
use super::written::MOST_DEPTH;
use syn::Expr;

impl Translator<'_> {
    /// The constant that an `impl` of a type gives this name.
    fn associated_value(&mut self, own: &Ty, name: &str) -> Res<Option<i128>> {
        let names = self.names;
        for number in 0..names.impls.len() {
            let mut items = names.impls[number].item.items.iter();
            let found = items.find_map(|item| match item {
                syn::ImplItem::Const(item) if item.ident == name => Some(item),
                _ => None,
            });
            if let Some(item) = found
                && let infer = &mut Infer::default()
                && let Some(mut context) = self.applies(number, own, infer)
            {
                for ty in context.subst.values_mut() {
                    *ty = infer.settled(ty);
                }
                return self.constant(&item.expr, &context).map(Some);
            }
        }
        Ok(None)
    }

    /// The value of a constant expression.
    pub(super) fn constant(&mut self, e: &Expr, context: &Context) -> Res<i128> {
        self.depth += 1;
        let value = if self.depth > MOST_DEPTH {
            Err(self.error("this constant depends on too many others", span(e)))
        } else {
            self.constant_of(e, context)
        };
        self.depth -= 1;
        value
    }

    pub(super) fn constant_of(&mut self, e: &Expr, context: &Context) -> Res<i128> {
        let value = match e {
            Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Int(value),
                ..
            }) => value.base10_parse::<i128>().ok(),
            Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Char(value),
                ..
            }) => Some(i128::from(u32::from(value.value()))),
            Expr::Lit(syn::ExprLit {
                lit: syn::Lit::Byte(value),
                ..
            }) => Some(i128::from(value.value())),
            Expr::MethodCall(e) if e.method == "next_power_of_two" && e.args.is_empty() => {
                let value = self.constant(&e.receiver, context)?;
                let value = u64::try_from(value).ok();
                value
                    .and_then(u64::checked_next_power_of_two)
                    .map(i128::from)
            }
            Expr::Paren(e) => Some(self.constant(&e.expr, context)?),
            Expr::Group(e) => Some(self.constant(&e.expr, context)?),
            Expr::Cast(e) => {
                let value = self.constant(&e.expr, context)?;
                let range = self.ty(&e.ty, context, None)?.range();
                range
                    .filter(|range| (range.0..=range.1).contains(&value))
                    .map(|_| value)
            }
            Expr::Block(block) => match &block.block.stmts[..] {
                [syn::Stmt::Expr(e, None)] => Some(self.constant(e, context)?),
                _ => None,
            },
            Expr::Unary(syn::ExprUnary {
                op: syn::UnOp::Neg(_),
                expr,
                ..
            }) => Some(-self.constant(expr, context)?),
            Expr::Binary(e) => {
                let (a, b) = (
                    self.constant(&e.left, context)?,
                    self.constant(&e.right, context)?,
                );
                match e.op {
                    syn::BinOp::Add(_) => a.checked_add(b),
                    syn::BinOp::Sub(_) => a.checked_sub(b),
                    syn::BinOp::Mul(_) => a.checked_mul(b),
                    syn::BinOp::Div(_) => a.checked_div(b),
                    syn::BinOp::Rem(_) => a.checked_rem(b),
                    syn::BinOp::BitAnd(_) => Some(a & b),
                    syn::BinOp::BitOr(_) => Some(a | b),
                    syn::BinOp::Shr(_) => u32::try_from(b)
                        .ok()
                        .filter(|by| *by < 64)
                        .map(|by| a >> by),
                    syn::BinOp::Shl(_) => u32::try_from(b)
                        .ok()
                        .filter(|by| *by < 64)
                        .and_then(|by| a.checked_mul(1 << by)),
                    _ => None,
                }
            }
            Expr::Path(path) if path.qself.is_none() => {
                let words = words_of(&path.path);
                if let [name] = &words[..]
                    && let Some(Ty::Const(value)) = context.subst.get(name)
                {
                    return Ok(*value);
                }
                if let [name, end] = &words[..]
                    && let Some((least, most)) = Ty::integer(name).and_then(|ty| ty.range())
                {
                    match end.as_str() {
                        "MIN" => return Ok(least),
                        "MAX" => return Ok(most),
                        "BITS" => return Ok(i128::from((most - least + 1).ilog2())),
                        _ => {}
                    }
                }
                match self.names.resolve(context.module, &words) {
                    Target::None if words.len() > 1 => {
                        let mut of = path.path.clone();
                        let last = of.segments.pop().map(syn::punctuated::Pair::into_value);
                        of.segments.pop_punct();
                        let ty = syn::Type::Path(syn::TypePath {
                            qself: None,
                            path: of,
                        });
                        let name = last.map(|last| last.ident.to_string()).unwrap_or_default();
                        let own = self.ty(&ty, context, None)?;
                        self.associated_value(&own, &name)?
                    }
                    Target::Item(module, Named::Const(item)) => {
                        let context = Context {
                            module,
                            ..Context::default()
                        };
                        Some(self.constant(&item.expr, &context)?)
                    }
                    Target::Item(_, Named::Variant(id, variant)) => {
                        Some(i128::from(self.variants(id)?[variant]))
                    }
                    Target::Item(..) | Target::Known(_) | Target::None => None,
                }
            }
            Expr::Path(path)
                if let (Some(of), Some(last)) = (&path.qself, path.path.segments.last()) =>
            {
                let own = self.ty(&of.ty, context, None)?;
                self.associated_value(&own, &last.ident.to_string())?
            }
            _ => None,
        };
        value.ok_or_else(|| {
            self.refuse(
                "the value of this expression is not known when the program is read",
                span(e),
                "integers, constants and their sums, differences, products and quotients are",
            )
        })
    }
}
