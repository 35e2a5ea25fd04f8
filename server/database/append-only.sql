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
  raise exception 'rows of % are never changed', tg_table_name using errcode = '42501';
end $$;

create or replace trigger append_only before update or delete on order_audit_history for each row execute function refuse_change();

create or replace trigger append_only before update or delete on product_audit_history for each row execute function refuse_change();

create or replace trigger append_only before update or delete on audit_log for each row execute function refuse_change();

create or replace trigger append_only before update or delete on receipts for each row execute function refuse_change();

-- Cash entries and delivery attempts are append-only too; an erasure may empty their texts.
create or replace trigger append_only before update or delete on cash_entries for each row execute function refuse_change();

create or replace trigger append_only before update or delete on delivery_attempts for each row execute function refuse_change();
