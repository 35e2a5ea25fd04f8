/** Means of a payment. `account` is added to what the customer owes, `booklet` uses up units that were paid before. */
export const paymentMeans = ['cash', 'benefitpay', 'card', 'transfer', 'cheque', 'account', 'booklet'] as const
export type PaymentMeans = (typeof paymentMeans)[number]
