-- Numbers that no topic of a real group reaches: where the shop gets a real bot later, a topic that was played is none there.
ALTER TABLE "simulated_telegram_topics" ALTER COLUMN "id" RESTART WITH 1000000000;
