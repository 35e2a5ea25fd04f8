/** Path of Telegram's webhook. */
export const TELEGRAM_WEBHOOK = '/api/webhooks/telegram'
