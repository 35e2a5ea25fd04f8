ALTER TABLE "whatsapp_webhook_events" ADD COLUMN "sender_phone" text;--> statement-breakpoint
ALTER TABLE "whatsapp_webhook_events" ADD COLUMN "sender_scoped_id" text;--> statement-breakpoint
ALTER TABLE "whatsapp_webhook_events" ADD COLUMN "recipient_phone" text;--> statement-breakpoint
ALTER TABLE "whatsapp_webhook_events" ADD COLUMN "recipient_scoped_id" text;--> statement-breakpoint
ALTER TABLE "whatsapp_webhook_events" ADD COLUMN "has_parties" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "webhook_events_of_sender" ON "whatsapp_webhook_events" USING btree ("sender_phone") WHERE "whatsapp_webhook_events"."sender_phone" is not null;--> statement-breakpoint
CREATE INDEX "webhook_events_of_sender_id" ON "whatsapp_webhook_events" USING btree ("sender_scoped_id") WHERE "whatsapp_webhook_events"."sender_scoped_id" is not null;--> statement-breakpoint
CREATE INDEX "webhook_events_of_recipient" ON "whatsapp_webhook_events" USING btree ("recipient_phone") WHERE "whatsapp_webhook_events"."recipient_phone" is not null;--> statement-breakpoint
CREATE INDEX "webhook_events_of_recipient_id" ON "whatsapp_webhook_events" USING btree ("recipient_scoped_id") WHERE "whatsapp_webhook_events"."recipient_scoped_id" is not null;--> statement-breakpoint
CREATE INDEX "webhook_events_without_parties" ON "whatsapp_webhook_events" USING btree ("id") WHERE not "whatsapp_webhook_events"."has_parties";