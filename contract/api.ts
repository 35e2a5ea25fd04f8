import * as analytics from './analytics.ts'
import * as apiKeys from './api-keys.ts'
import * as audit from './audit.ts'
import * as bottles from './bottles-admin.ts'
import * as calendarAdmin from './calendar/admin.ts'
import * as cart from './cart/cart.ts'
import * as cashClosing from './cash-closing.ts'
import * as corrections from './corrections.ts'
import * as dashboard from './dashboard/dashboard.ts'
import * as driverBoard from './driver-board.ts'
import * as drivers from './drivers.ts'
import { type AnyEndpoint, workbookOf } from './endpoint.ts'
import * as legacy from './legacy.ts'
import * as linksAdmin from './links/admin.ts'
import * as links from './links/links.ts'
import * as myBottles from './my-bottles.ts'
import * as notifications from './notifications/notifications.ts'
import * as push from './notifications/push.ts'
import * as ordersAdmin from './orders/admin.ts'
import * as orderConfirmation from './orders/confirmation.ts'
import * as orderDelivery from './orders/delivery.ts'
import * as orderEditing from './orders/editing.ts'
import * as orders from './orders/orders.ts'
import * as payments from './orders/payments.ts'
import * as receipts from './orders/receipts.ts'
import * as orderTimeline from './orders/timeline.ts'
import * as orderViews from './orders/views.ts'
import * as outgoingWebhooks from './outgoing-webhooks.ts'
import * as areas from './places/areas.ts'
import * as areasAdmin from './places/areas-admin.ts'
import * as blocksAdmin from './places/blocks-admin.ts'
import * as geocode from './places/geocode.ts'
import * as productsAdmin from './products/admin.ts'
import * as bottleTypes from './products/bottle-types.ts'
import * as productsBulk from './products/bulk.ts'
import * as products from './products/products.ts'
import * as queues from './queues.ts'
import * as sales from './sales.ts'
import * as searchAdmin from './search-admin.ts'
import * as settings from './settings/settings.ts'
import * as setup from './settings/setup.ts'
import * as site from './settings/site.ts'
import * as telegram from './telegram.ts'
import * as addresses from './users/addresses.ts'
import * as auth from './users/auth.ts'
import * as customers from './users/customers.ts'
import * as customersImport from './users/customers-import.ts'
import * as impersonation from './users/impersonation.ts'
import * as invitations from './users/invitations.ts'
import * as passkeys from './users/passkeys.ts'
import * as peopleImport from './users/people-import.ts'
import * as users from './users/users.ts'
import * as van from './van.ts'
import * as vendorsAdmin from './vendors/admin.ts'
import * as business from './vendors/business.ts'
import * as vendorRecord from './vendors/record.ts'
import * as vendors from './vendors/vendors.ts'
import * as visits from './visits.ts'
import * as whatsappBot from './whatsapp/bot.ts'
import * as whatsappCampaignPreview from './whatsapp/campaigns/campaign-preview.ts'
import * as whatsappCampaignResults from './whatsapp/campaigns/campaign-results.ts'
import * as whatsappCampaigns from './whatsapp/campaigns/campaigns.ts'
import * as whatsappSends from './whatsapp/campaigns/sends.ts'
import * as whatsappAccount from './whatsapp/connection/account.ts'
import * as whatsappConnection from './whatsapp/connection/connection.ts'
import * as whatsappSetup from './whatsapp/connection/setup.ts'
import * as whatsappWebhooks from './whatsapp/connection/webhooks.ts'
import * as whatsappCannedReplies from './whatsapp/inbox/canned-replies.ts'
import * as whatsappCart from './whatsapp/inbox/cart.ts'
import * as whatsappFiles from './whatsapp/inbox/files.ts'
import * as whatsappInbox from './whatsapp/inbox/inbox.ts'
import * as whatsappReport from './whatsapp/inbox/report.ts'
import * as whatsappInboxSettings from './whatsapp/inbox/settings.ts'
import * as whatsappTranscript from './whatsapp/inbox/transcript.ts'
import * as whatsappWork from './whatsapp/inbox/work.ts'
import * as whatsappTemplates from './whatsapp/templates/templates.ts'

export const isEndpoint = (value: unknown): value is AnyEndpoint =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value && 'returns' in value

/** The features with their endpoints and schemas. Tags and names of the OpenAPI document are these. */
export const features: Readonly<Record<string, object>> = {
  auth,
  addresses,
  invitations,
  links,
  linksAdmin,
  site,
  settings,
  setup,
  apiKeys,
  outgoingWebhooks,
  vendors,
  vendorRecord,
  vendorsAdmin,
  business,
  products,
  productsAdmin,
  productsBulk,
  bottleTypes,
  areas,
  areasAdmin,
  blocksAdmin,
  calendarAdmin,
  geocode,
  cart,
  myBottles,
  orders,
  ordersAdmin,
  payments,
  orderConfirmation,
  orderDelivery,
  orderEditing,
  orderTimeline,
  orderViews,
  searchAdmin,
  notifications,
  push,
  driverBoard,
  drivers,
  van,
  visits,
  cashClosing,
  corrections,
  dashboard,
  receipts,
  sales,
  users,
  telegram,
  impersonation,
  passkeys,
  customers,
  customersImport,
  bottles,
  peopleImport,
  audit,
  queues,
  legacy,
  analytics,
  whatsappWebhooks,
  whatsappInbox,
  whatsappTranscript,
  whatsappInboxSettings,
  whatsappReport,
  whatsappWork,
  whatsappCart,
  whatsappFiles,
  whatsappCannedReplies,
  whatsappBot,
  whatsappAccount,
  whatsappConnection,
  whatsappSetup,
  whatsappTemplates,
  whatsappCampaigns,
  whatsappCampaignPreview,
  whatsappCampaignResults,
  whatsappSends,
}

/** All endpoints. The OpenAPI document, the role matrix and the fuzz tests iterate over them. */
export const endpoints: readonly AnyEndpoint[] = Object.values(features)
  .flatMap((feature) => Object.values(feature).filter(isEndpoint))
  .flatMap((one) => (one.isTable ? [one, workbookOf(one)] : [one]))
