/**
 * Every key of the shop's words. A feature that gets its own file adds its line here; a test holds this list against the
 * folder.
 */
export type MessageKey =
  | keyof typeof import('@qatra/contract/messages/shell.ar.json')
  | keyof typeof import('@qatra/contract/messages/login.ar.json')
  | keyof typeof import('@qatra/contract/messages/cart.ar.json')
  | keyof typeof import('@qatra/contract/messages/catalogue.ar.json')
  | keyof typeof import('@qatra/contract/messages/checkout.ar.json')
  | keyof typeof import('@qatra/contract/messages/orders.ar.json')
  | keyof typeof import('@qatra/contract/messages/pages.ar.json')
  | keyof typeof import('@qatra/contract/messages/auth.ar.json')
  | keyof typeof import('@qatra/contract/messages/consent.ar.json')
  | keyof typeof import('@qatra/contract/messages/profile.ar.json')
  | keyof typeof import('@qatra/contract/messages/simulator.ar.json')
  | keyof typeof import('@qatra/contract/messages/validation.ar.json')
  | keyof typeof import('@qatra/contract/messages/places.ar.json')
  | keyof typeof import('@qatra/contract/messages/reorder.ar.json')
  | keyof typeof import('@qatra/contract/messages/pages.ar.json')
