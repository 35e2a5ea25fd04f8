CREATE TABLE "import_mappings" (
	"kind" text NOT NULL,
	"vendor_id" integer NOT NULL,
	"headings" text NOT NULL,
	"mapping" jsonb NOT NULL,
	"updated_at" timestamp (3) with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "import_mappings_kind_vendor_id_headings_pk" PRIMARY KEY("kind","vendor_id","headings")
);
