-- See database/append-only.sql.
create or replace trigger append_only before update or delete on order_audit_history for each row execute function refuse_change();

create or replace trigger append_only before update or delete on receipts for each row execute function refuse_change();

create or replace trigger append_only before update or delete on credit_notes for each row execute function refuse_change();

-- No paper joins a day after its closing (ledger/ledger.sql).
create or replace trigger cash_day_open before insert on receipts
  for each row when (new.day is not null) execute function refuse_closed_cash();

create or replace trigger cash_day_open before insert on credit_notes
  for each row when (new.day is not null) execute function refuse_closed_cash();

-- Whether an order is a test is decided when it is placed.
create or replace trigger append_only_is_test before update of is_test on orders
  for each row when (old.is_test <> new.is_test) execute function refuse_change();
