CREATE TABLE "customer_answers" (
	"user_id" integer NOT NULL,
	"vendor_id" integer DEFAULT 0 NOT NULL,
	"answer" text NOT NULL,
	"quiet_until" date NOT NULL,
	"created_by" integer,
	"created_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "customer_answers_user_id_vendor_id_pk" PRIMARY KEY("user_id","vendor_id"),
	CONSTRAINT "customer_answers_answer" CHECK ("customer_answers"."answer" in ('later','travelling','elsewhere','no-answer'))
);
--> statement-breakpoint
ALTER TABLE "customer_answers" ADD CONSTRAINT "customer_answers_user_id_users_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."users"("id") ON DELETE cascade ON UPDATE no action;