/** The path to which SMS providers send delivery receipts. */
export const SMS_RECEIPTS = '/api/webhooks/sms'
