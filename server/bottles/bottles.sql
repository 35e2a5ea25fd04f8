-- What a customer holds follows each entry in its transaction. Entries are deleted with a test order alone.
create or replace function move_bottles() returns trigger language plpgsql as $$
declare
  e constant ledger_entries := coalesce(new, old);
  v_sign constant integer := case tg_op when 'INSERT' then 1 else -1 end;
  v_ordered_at timestamptz;
  v_held integer;
begin
  -- Entries of one customer, and orders (`note_order_of_holder`), wait for each other here: the sum below sees them all.
  select t.last_order_at into v_ordered_at from customer_totals t
  where t.user_id = e.holder_id and t.vendor_id = e.vendor_id for no key update;
  select coalesce(sum(b.count), 0) + v_sign * e.amount into v_held from bottle_balances b
  where b.vendor_id = e.vendor_id and b.customer_id = e.holder_id;
  insert into bottle_balances as b
    (vendor_id, customer_id, bottle_type_id, address_id, count, deposit, moved_on, held, ordered_at)
  values (e.vendor_id, e.holder_id, e.bottle_type_id, e.address_id, v_sign * e.amount, v_sign * coalesce(e.due, 0), e.day,
    v_held, v_ordered_at)
  on conflict on constraint bottle_balances_once do update set count = b.count + excluded.count,
    deposit = b.deposit + excluded.deposit, moved_on = greatest(b.moved_on, excluded.moved_on),
    held = excluded.held, ordered_at = excluded.ordered_at;
  update bottle_balances b set held = v_held where b.vendor_id = e.vendor_id and b.customer_id = e.holder_id
    and b.held <> v_held;
  if tg_op = 'DELETE' then
    delete from bottle_balances b where b.vendor_id = e.vendor_id and b.customer_id = e.holder_id
      and b.bottle_type_id = e.bottle_type_id and b.address_id is not distinct from e.address_id and not exists (
        select from ledger_entries other where other.ledger = 'bottles' and other.vendor_id = e.vendor_id
          and other.holder_id = e.holder_id and other.bottle_type_id = e.bottle_type_id
          and other.address_id is not distinct from e.address_id);
  end if;
  return null;
end $$;

create or replace trigger bottles_posted after insert on ledger_entries
  for each row when (new.ledger = 'bottles') execute function move_bottles();
create or replace trigger bottles_deleted after delete on ledger_entries
  for each row when (old.ledger = 'bottles') execute function move_bottles();

-- For the trigger on `customer_totals`, whose row is locked.
create or replace function note_order_of_holder() returns trigger language plpgsql as $$
begin
  update bottle_balances b set ordered_at = new.last_order_at
  where b.vendor_id = new.vendor_id and b.customer_id = new.user_id and b.ordered_at is distinct from new.last_order_at;
  return null;
end $$;
