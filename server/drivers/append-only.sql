-- See database/append-only.sql. An erasure may empty the texts of attempts.
create or replace trigger append_only before update or delete on delivery_attempts for each row execute function refuse_change();
