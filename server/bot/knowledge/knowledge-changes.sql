-- Every process holds these tables in memory; see catalogue/reference-changes.sql.
create or replace function tell_bot_knowledge() returns trigger language plpgsql as $$
begin
  perform pg_notify('reference', tg_table_name);
  return null;
end $$;

create or replace trigger tell_bot_knowledge after insert or update or delete or truncate on bot_answers for each statement execute function tell_bot_knowledge();

create or replace trigger tell_bot_knowledge after insert or update or delete or truncate on bot_aliases for each statement execute function tell_bot_knowledge();
