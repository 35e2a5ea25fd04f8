-- Functions of earlier versions that nothing calls any more.
drop function if exists cart_add(text, integer, integer, integer), cart_change(text, integer, integer), cart_clear(text),
  cart_hold(text), cart_lock(text), cart_make(text), cart_view(text);
