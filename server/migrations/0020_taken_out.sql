ALTER TABLE "template_campaigns" ADD COLUMN "taken_out" jsonb DEFAULT '[]'::jsonb NOT NULL;
