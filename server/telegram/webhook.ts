/** Where Telegram calls. */
export const TELEGRAM_WEBHOOK = '/api/webhooks/telegram'
