/** Every file of words that pages use. A feature that gets its own adds its line here; a test holds this list against the folder. */
interface Files {
  shell: typeof import('@qatra/contract/messages/shell.ar.json')
  login: typeof import('@qatra/contract/messages/login.ar.json')
  cart: typeof import('@qatra/contract/messages/cart.ar.json')
  catalogue: typeof import('@qatra/contract/messages/catalogue.ar.json')
  checkout: typeof import('@qatra/contract/messages/checkout.ar.json')
  orders: typeof import('@qatra/contract/messages/orders.ar.json')
  pages: typeof import('@qatra/contract/messages/pages.ar.json')
  consent: typeof import('@qatra/contract/messages/consent.ar.json')
  profile: typeof import('@qatra/contract/messages/profile.ar.json')
  simulator: typeof import('@qatra/contract/messages/simulator.ar.json')
  validation: typeof import('@qatra/contract/messages/validation.ar.json')
  impersonation: typeof import('@qatra/contract/messages/impersonation.ar.json')
  office: typeof import('@qatra/contract/messages/office.ar.json')
  'office-notifications': typeof import('@qatra/contract/messages/office-notifications.ar.json')
  'office-dashboard': typeof import('@qatra/contract/messages/office-dashboard.ar.json')
  'office-vendors': typeof import('@qatra/contract/messages/office-vendors.ar.json')
  'office-areas': typeof import('@qatra/contract/messages/office-areas.ar.json')
  'office-calendar': typeof import('@qatra/contract/messages/office-calendar.ar.json')
  'office-products': typeof import('@qatra/contract/messages/office-products.ar.json')
  'office-orders': typeof import('@qatra/contract/messages/office-orders.ar.json')
  'office-drivers': typeof import('@qatra/contract/messages/office-drivers.ar.json')
  'office-users': typeof import('@qatra/contract/messages/office-users.ar.json')
  'office-customers': typeof import('@qatra/contract/messages/office-customers.ar.json')
  'office-sales': typeof import('@qatra/contract/messages/office-sales.ar.json')
  'office-receipt': typeof import('@qatra/contract/messages/office-receipt.ar.json')
  'office-audit': typeof import('@qatra/contract/messages/office-audit.ar.json')
}

export type MessageFile = keyof Files
export type MessageKey = { [File in MessageFile]: keyof Files[File] }[MessageFile]
