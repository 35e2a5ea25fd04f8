-- Histories are append-only, whoever asks.
create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'rows of % are never changed', tg_table_name using errcode = '42501';
end $$;
--> statement-breakpoint
create trigger append_only before update or delete on order_audit_history for each row execute function refuse_change();
--> statement-breakpoint
create trigger append_only before update or delete on product_audit_history for each row execute function refuse_change();
--> statement-breakpoint
create trigger append_only before update or delete on audit_log for each row execute function refuse_change();
--> statement-breakpoint
-- Every process holds these tables in memory and reads them anew when one of them changed.
create function tell_reference() returns trigger language plpgsql as $$
begin
  perform pg_notify('reference', tg_table_name);
  return null;
end $$;
--> statement-breakpoint
create trigger tell_reference after insert or update or delete or truncate on vendors for each statement execute function tell_reference();
--> statement-breakpoint
create trigger tell_reference after insert or update or delete or truncate on vendor_delivery_areas for each statement execute function tell_reference();
--> statement-breakpoint
create trigger tell_reference after insert or update or delete or truncate on products for each statement execute function tell_reference();
--> statement-breakpoint
create trigger tell_reference after insert or update or delete or truncate on areas for each statement execute function tell_reference();
--> statement-breakpoint
create trigger tell_reference after insert or update or delete or truncate on holidays for each statement execute function tell_reference();
--> statement-breakpoint
create trigger tell_reference after insert or update or delete or truncate on settings for each statement execute function tell_reference();
