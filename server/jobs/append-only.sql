-- See database/append-only.sql.
create or replace trigger append_only before update or delete on audit_log for each row execute function refuse_change();
