ALTER TABLE "contacts" ADD COLUMN "blocked_at" timestamp (3) with time zone;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "blocked_by" integer;--> statement-breakpoint
ALTER TABLE "contacts" ADD COLUMN "blocked_reason" text;--> statement-breakpoint
ALTER TABLE "whatsapp_conversation_threads" ADD COLUMN "muted_by" integer[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "contacts" ADD CONSTRAINT "contacts_blocked_by_users_id_fk" FOREIGN KEY ("blocked_by") REFERENCES "public"."users"("id") ON DELETE set null ON UPDATE no action NOT VALID;--> statement-breakpoint
CREATE INDEX "contacts_blocked_by_index" ON "contacts" USING btree ("blocked_by") WHERE "contacts"."blocked_by" is not null;