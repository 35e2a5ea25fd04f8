CREATE TABLE "model_requests" (
	"service" text NOT NULL,
	"day" date NOT NULL,
	"requests" integer NOT NULL,
	CONSTRAINT "model_requests_service_day_pk" PRIMARY KEY("service","day")
);
