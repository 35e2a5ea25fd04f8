ALTER TABLE "login_proofs" ADD COLUMN "answer_hash" text;--> statement-breakpoint
ALTER TABLE "login_proofs" ADD COLUMN "device" text;--> statement-breakpoint
ALTER TABLE "login_proofs" ADD COLUMN "asked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "login_proofs" ADD COLUMN "answered_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "login_proofs" ADD COLUMN "answer_message_id" integer;--> statement-breakpoint
-- Whom a list was searched for stays in no history: the words of searches that stand there are taken out, once.
alter table audit_log disable trigger append_only;
--> statement-breakpoint
update audit_log set new_values = jsonb_set(new_values, '{search}', '"•••"')
where action = 'exported' and resource = 'export' and new_values ? 'search';
--> statement-breakpoint
alter table audit_log enable trigger append_only;
