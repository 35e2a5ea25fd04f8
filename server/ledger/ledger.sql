-- See database/append-only.sql. An erasure may empty references and notes of entries.
create or replace trigger append_only before update or delete on ledger_entries for each row execute function refuse_change();

-- Called where a test order is deleted (orders/test-orders.sql).
create or replace function delete_ledger_of_orders(p_ids text[]) returns void language sql as $$
  delete from ledger_entries where order_id = any(p_ids)
$$;

-- Key of the lock between entries of a vendor's day and the closing of the day.
create or replace function cash_day_key(p_vendor integer, p_day date) returns integer language sql immutable strict as $$
  select hashtext(p_vendor || ' ' || (p_day - date '2000-01-01'))
$$;

-- Whether entries of the day can be written. The shared lock keeps it so until the transaction ends. Volatile, so that the
-- query after the lock sees a closing that was committed meanwhile.
create or replace function cash_day_is_open(p_vendor integer, p_day date) returns boolean language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock_shared(7301977, cash_day_key(p_vendor, p_day));
  return not exists (select from cash_closings where vendor_id = p_vendor and day = p_day and reopened_at is null);
end $$;

-- The given day or the first one after it whose entries can be written.
create or replace function first_open_cash_day(p_vendor integer, p_from date) returns date language plpgsql volatile as $$
declare
  v_day date := p_from;
begin
  while not cash_day_is_open(p_vendor, v_day) loop
    v_day := v_day + 1;
  end loop;
  return v_day;
end $$;

create or replace function refuse_closed_cash() returns trigger language plpgsql as $$
begin
  if not cash_day_is_open(new.vendor_id, new.day) then
    raise exception 'The cash of % is closed', new.day using errcode = 'check_violation', constraint = 'cash_day_open';
  end if;
  return new;
end $$;

create or replace trigger cash_day_open before insert on ledger_entries
  for each row execute function refuse_closed_cash();

create or replace function lock_cash_day() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(7301977, cash_day_key(new.vendor_id, new.day));
  return new;
end $$;

create or replace trigger cash_day_locked before insert on cash_closings
  for each row execute function lock_cash_day();
