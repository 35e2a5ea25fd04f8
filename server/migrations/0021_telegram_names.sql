ALTER TABLE "telegram_messages" ADD COLUMN "reply_to_id" text;--> statement-breakpoint
ALTER TABLE "users" ADD COLUMN "telegram_name" text;