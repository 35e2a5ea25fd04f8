-- Every change of an owner's carts first locks the owner. Row locks alone would deadlock: the active and the parked
-- cart swap roles, so two transactions may lock the two rows in opposite order.
create or replace function cart_hold(p_owner text) returns void language sql as $$
  select pg_advisory_xact_lock(hashtextextended(p_owner, 1))
$$;

-- The answer of every cart call; items are [id, product, quantity].
create or replace function cart_view(p_owner text, out id integer, out vendor_id integer, out version integer, out items json,
  out parked_vendor_id integer, out parked_items integer)
returns setof record language sql stable as $$
  select c.id, c.vendor_id, c.version,
    (select json_agg(array[i.id, i.product_id, i.quantity]) from cart_items i where i.cart_id = c.id),
    k.vendor_id, (select count(*)::integer from cart_items i where i.cart_id = k.id)
  from (select 1) one
  left join carts c on c.owner = p_owner and c.parked_at is null
  left join carts k on k.owner = p_owner and k.parked_at > now() - interval '30 days'
$$;

create or replace function cart_make(p_owner text) returns void language sql as $$
  insert into carts (user_id, session_id)
  values (case when p_owner like 'u%' then substr(p_owner, 2)::integer end, case when p_owner not like 'u%' then p_owner end)
  on conflict do nothing
$$;

-- Locks the owner's active cart until the transaction ends; creates it if there is none.
create or replace function cart_lock(p_owner text) returns carts language plpgsql as $$
declare
  v_cart carts;
begin
  perform cart_hold(p_owner);
  loop
    select * into v_cart from carts c where c.owner = p_owner and c.parked_at is null for update;
    exit when found;
    perform cart_make(p_owner);
  end loop;
  return v_cart;
end $$;

-- `code` is null or the error; then nothing changed and `vendor_id` is the cart's. The first statement makes the change
-- in the usual case; only if it fails is the reason looked up.
create or replace function cart_add(p_owner text, p_product integer, p_vendor integer, p_quantity integer,
  out code text, out id integer, out vendor_id integer, out version integer, out items json,
  out parked_vendor_id integer, out parked_items integer)
language plpgsql as $$
#variable_conflict use_variable
declare
  v_vendor integer;
begin
  perform cart_hold(p_owner);
  loop
    update carts c set vendor_id = p.vendor_id, version = c.version + 1, updated_at = now()
    from products p join vendors v on v.id = p.vendor_id
    where c.owner = p_owner and c.parked_at is null and (c.vendor_id is null or c.vendor_id = p.vendor_id)
      and p.id = p_product and p.is_active and p.deleted_at is null and v.is_active
      and (p_vendor is null or p_vendor = p.vendor_id)
    returning c.id, c.vendor_id, c.version into id, vendor_id, version;
    exit when found;
    select p.vendor_id into v_vendor from products p join vendors v on v.id = p.vendor_id
    where p.id = p_product and p.is_active and p.deleted_at is null and v.is_active;
    if not found then
      code := 'PRODUCT_NOT_FOUND';
      return;
    elsif p_vendor <> v_vendor then
      code := 'VENDOR_MISMATCH';
      return;
    end if;
    select c.vendor_id into vendor_id from carts c where c.owner = p_owner and c.parked_at is null;
    if not found then
      perform cart_make(p_owner);
    elsif vendor_id <> v_vendor then
      code := 'CART_VENDOR_CONFLICT';
      return;
    end if;
  end loop;
  insert into cart_items as i (cart_id, vendor_id, product_id, quantity)
  values (id, vendor_id, p_product, p_quantity)
  on conflict on constraint cart_items_once do update set quantity = i.quantity + excluded.quantity
    where i.quantity + excluded.quantity <= 100;
  if not found then
    code := 'QUANTITY_LIMIT';
    update carts c set version = c.version - 1 where c.id = id;
    return;
  end if;
  select (select json_agg(array[i.id, i.product_id, i.quantity]) from cart_items i where i.cart_id = id),
    k.vendor_id, (select count(*) from cart_items i where i.cart_id = k.id)
  into items, parked_vendor_id, parked_items
  from (select 1) one left join carts k on k.owner = p_owner and k.parked_at > now() - interval '30 days';
end $$;

-- Sets the quantity of an item in the owner's active cart; 0 or less removes it, the last one with the cart's vendor.
create or replace function cart_change(p_owner text, p_item integer, p_quantity integer,
  out code text, out id integer, out vendor_id integer, out version integer, out items json,
  out parked_vendor_id integer, out parked_items integer)
language plpgsql as $$
declare
  v_cart integer;
begin
  perform cart_hold(p_owner);
  select c.id into v_cart from carts c where c.owner = p_owner and c.parked_at is null for update;
  if p_quantity > 0 then
    update cart_items i set quantity = p_quantity where i.id = p_item and i.cart_id = v_cart;
  else
    delete from cart_items i where i.id = p_item and i.cart_id = v_cart;
  end if;
  if not found then
    code := 'CART_ITEM_NOT_FOUND';
    return;
  end if;
  update carts c set version = c.version + 1, updated_at = now(),
    vendor_id = case when exists (select from cart_items i where i.cart_id = v_cart) then c.vendor_id end
  where c.id = v_cart;
  select w.* into id, vendor_id, version, items, parked_vendor_id, parked_items from cart_view(p_owner) w;
end $$;

create or replace function cart_clear(p_owner text, out id integer, out vendor_id integer, out version integer,
  out items json, out parked_vendor_id integer, out parked_items integer)
language plpgsql as $$
declare
  v_cart integer;
begin
  perform cart_hold(p_owner);
  select c.id into v_cart from carts c where c.owner = p_owner and c.parked_at is null for update;
  delete from cart_items i where i.cart_id = v_cart;
  if found then
    update carts c set vendor_id = null, version = c.version + 1, updated_at = now() where c.id = v_cart;
  end if;
  select w.* into id, vendor_id, version, items, parked_vendor_id, parked_items from cart_view(p_owner) w;
end $$;
