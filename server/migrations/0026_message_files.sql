CREATE TABLE "message_files" (
	"message_id" integer PRIMARY KEY NOT NULL,
	"bytes" "bytea",
	"mime_type" text,
	"size" integer,
	"seconds" integer,
	"problem" text,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	"changed_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "message_files_whole" CHECK ("message_files"."bytes" is null or ("message_files"."mime_type" is not null and "message_files"."size" is not null and "message_files"."problem" is null))
);
--> statement-breakpoint
ALTER TABLE "message_files" ADD CONSTRAINT "message_files_message_id_whatsapp_messages_id_fk" FOREIGN KEY ("message_id") REFERENCES "public"."whatsapp_messages"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
-- Media is packed already, and a part of it is read without unpacking the rest.
ALTER TABLE "message_files" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;
