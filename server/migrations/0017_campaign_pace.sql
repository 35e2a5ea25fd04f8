CREATE TABLE "campaign_pace" (
	"id" integer PRIMARY KEY NOT NULL,
	"next_at" timestamp (3) with time zone NOT NULL
);
