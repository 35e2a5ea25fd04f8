-- See database/append-only.sql. An erasure may empty the texts of entries and attempts.
create or replace trigger append_only before update or delete on cash_entries for each row execute function refuse_change();

create or replace trigger append_only before update or delete on delivery_attempts for each row execute function refuse_change();
