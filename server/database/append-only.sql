-- Histories are append-only for every role.
create or replace function refuse_change() returns trigger language plpgsql as $$
declare
  free constant text[] := array['notes', 'ip_address', 'user_agent'];
begin
  -- An erasure may empty free texts and addresses; author, action and time stay.
  if tg_op = 'UPDATE' and current_setting('qatra.erasing', true) = 'on' and to_jsonb(new) - free = to_jsonb(old) - free
    and not exists (
      select from jsonb_each(to_jsonb(new)) n where n.value <> 'null' and n.value <> to_jsonb(old) -> n.key
    )
  then
    return new;
  end if;
  -- A test order is deleted with its history; `is_test` itself never changes.
  if tg_op = 'DELETE' and exists (select from orders where id = to_jsonb(old) ->> 'order_id' and is_test) then
    return old;
  end if;
  raise exception 'rows of % are never changed', tg_table_name using errcode = '42501';
end $$;

create or replace trigger append_only before update or delete on order_audit_history for each row execute function refuse_change();

create or replace trigger append_only before update or delete on product_audit_history for each row execute function refuse_change();

create or replace trigger append_only before update or delete on audit_log for each row execute function refuse_change();

create or replace trigger append_only before update or delete on receipts for each row execute function refuse_change();

-- Cash entries and delivery attempts are append-only too; an erasure may empty their texts.
create or replace trigger append_only before update or delete on cash_entries for each row execute function refuse_change();

create or replace trigger append_only before update or delete on delivery_attempts for each row execute function refuse_change();

-- Whether an order is a test is decided when it is placed.
create or replace trigger append_only_is_test before update of is_test on orders
  for each row when (old.is_test <> new.is_test) execute function refuse_change();
