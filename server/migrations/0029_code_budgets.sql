ALTER TABLE "login_codes" ADD COLUMN "is_withheld" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "login_codes" ADD COLUMN "is_known_phone" boolean DEFAULT false NOT NULL;