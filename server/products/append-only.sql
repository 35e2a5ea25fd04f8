-- See database/append-only.sql.
create or replace trigger append_only before update or delete on product_audit_history for each row execute function refuse_change();
