import { and, eq, isNull, or, sql } from 'drizzle-orm'
import { endSessionsOf } from '../auth/sessions.commands.ts'
import * as auth from '../auth/tables.ts'
import { botMisses } from '../bot/knowledge/tables.ts'
import { botMessageHistory, botSessions } from '../bot/tables.ts'
import { bottleBalances } from '../bottles/tables.ts'
import { eraseSendsTo } from '../campaigns/receipts.commands.ts'
import { templateCampaigns, templateSends } from '../campaigns/tables.ts'
import { eraseCartsOf } from '../cart/commands.ts'
import { cartItems, carts } from '../cart/tables.ts'
import * as conversations from '../conversations/tables.ts'
import * as customers from '../customers/tables.ts'
import {
  byContact,
  byOrder,
  byPhone,
  byUser,
  columnsExcept,
  columnsOnly,
  type PersonalData,
} from '../database/personal-data.ts'
import { deliveryAttempts } from '../drivers/tables.ts'
import { exportFiles } from '../inbox/files.queries.ts'
import { conversationNotes, messageFiles } from '../inbox/tables.ts'
import { staffInvitations } from '../invitations/tables.ts'
import { eraseAuditTrail } from '../jobs/domain-events.ts'
import { auditLog } from '../jobs/tables.ts'
import { ledgerEntries } from '../ledger/tables.ts'
import { eraseRequestsOf } from '../legacy-sync/commands.ts'
import { legacyOutbox } from '../legacy-sync/tables.ts'
import { magicLinks } from '../links/tables.ts'
import { media } from '../media/tables.ts'
import { eraseInOrders } from '../orders/commands.ts'
import { creditNotes, receipts } from '../orders/receipt/tables.ts'
import { driverRuns } from '../orders/run/tables.ts'
import { orderAuditHistory, orderItems, orderKeys, orderRatings, orders } from '../orders/tables.ts'
import { eraseVisitsOf } from '../orders/visits/commands.ts'
import { visits } from '../orders/visits/tables.ts'
import { pushSubscriptions } from '../push/tables.ts'
import { eraseTelegramOf } from '../telegram/erasure/forget.commands.ts'
import { telegramLinkCodes, telegramMessages, telegramUpdates } from '../telegram/tables.ts'
import { listAddressRows } from '../users/address-book.queries.ts'
import { addresses, users } from '../users/tables.ts'
import { eraseEventsOf } from '../webhooks/commands.ts'
import { exportEvents } from '../webhooks/queries.ts'
import { whatsappWebhookEvents, whatsappWebhookKeys } from '../webhooks/tables.ts'
import * as special from './exceptions.commands.ts'

const of = (
  table: PersonalData['table'],
  exported: string,
  erased: string,
  how: Omit<PersonalData, 'table' | 'exported' | 'erased'> = {},
): PersonalData => ({ table, exported, erased, ...how })

const mirrored = 'no: copies for staff of messages that are exported'
const { knownDevices, loginCodes, loginFailures, messageLogins, passkeyChallenges, passkeys, sessions } = auth
const devicesOf = { owner: byPhone(knownDevices.phone), columns: columnsOnly(knownDevices, 'createdAt', 'lastUsedAt') }
const passkeyColumns = columnsOnly(passkeys, 'name', 'createdAt', 'lastUsedAt')
const fils = { moneyUnit: sql`'fils'` }
const {
  contacts,
  earlyMessageChanges,
  whatsappConversationThreads: threads,
  whatsappMessages: messages,
} = conversations
const { customerAnswers, customerImportRows, customerNotes, customerTags, customerTotals } = customers

/**
 * All tables of personal data but the simulator's, in the order of erasure. Carts come first, since checkout locks the
 * cart before the orders. Webhook events, Telegram and data of the contact need the contact; all need the account.
 */
export const register: readonly PersonalData[] = [
  of(carts, 'carts', 'deleted', { owner: byUser(carts.userId), erase: (ctx, { id }) => eraseCartsOf(ctx, id) }),
  of(cartItems, 'cartItems', 'deleted with the cart', {
    owner: ({ id }) => sql`${cartItems.cartId} in (select id from carts where user_id = ${id})`,
  }),
  of(orders, 'orders', 'open ones cancelled; name, phone, address, place and notes taken out', {
    owner: byUser(orders.userId),
    // Without ids of staff and the state of the older system.
    columns: {
      ...columnsExcept(
        orders,
        'placedBy',
        'assignedDriverId',
        'searchText',
        'legacyBagId',
        'legacyTransactionId',
        'lastSyncAt',
        'syncStatus',
        'syncErrors',
        'version',
      ),
      ...fils,
    },
    newest: orders.createdAt,
    erase: (ctx, { id }) => eraseInOrders(ctx, id),
  }),
  of(orderItems, 'orderItems', 'reasons of agreed prices taken out', {
    owner: byOrder(orderItems.orderId),
    erase: { clear: [orderItems.priceReason] },
  }),
  of(orderAuditHistory, 'orderHistory', 'notes taken out; ids, values and times stay', {
    owner: byOrder(orderAuditHistory.orderId),
    rows: special.orderHistoryOf,
    erase: { clear: [orderAuditHistory.notes] },
  }),
  of(orderRatings, 'orderRatings', 'no: two of three words for a delivery, times and ids', {
    owner: byOrder(orderRatings.orderId),
    columns: columnsExcept(orderRatings, 'driverId'),
  }),
  of(orderKeys, 'no: keys and hashes against double orders', 'deleted', {
    owner: byUser(orderKeys.userId),
    erase: 'delete',
  }),
  of(receipts, 'receipts', 'name, phone and address taken out; number, seller, VAT number, lines and day stay by law', {
    owner: byOrder(receipts.orderId),
    columns: { ...columnsExcept(receipts), ...fils },
    erase: { clear: [receipts.buyer] },
  }),
  of(creditNotes, 'creditNotes', 'name, phone and address taken out; numbers, lines and day stay by law', {
    owner: byOrder(creditNotes.orderId),
    columns: { ...columnsExcept(creditNotes), ...fils },
    erase: { clear: [creditNotes.buyer] },
  }),
  of(
    legacyOutbox,
    'olderSystem',
    'name, phone, address, place and notes removed from requests not yet sent; answers and errors deleted',
    {
      owner: byOrder(legacyOutbox.orderId),
      // The bodies repeat the orders.
      columns: columnsOnly(legacyOutbox, 'orderId', 'event', 'status', 'doneAt', 'createdAt'),
      erase: (ctx, { id }) => eraseRequestsOf(ctx, id),
    },
  ),
  of(deliveryAttempts, 'deliveryAttempts', 'no: reason as a code, time and ids', {
    owner: byOrder(deliveryAttempts.orderId),
    columns: columnsOnly(deliveryAttempts, 'orderId', 'reason', 'happenedAt'),
  }),
  of(
    ledgerEntries,
    'cashEntries',
    'references and notes of entries that name an order or hold bottles of the person taken out; ids, amounts and times stay',
    {
      // Those of sales are the status and the total of orders, which are exported.
      owner: (person) =>
        or(
          and(byOrder(ledgerEntries.orderId)(person), eq(ledgerEntries.ledger, 'money')),
          and(eq(ledgerEntries.ledger, 'bottles'), eq(ledgerEntries.holderId, person.id)),
        ),
      columns: {
        ...columnsOnly(ledgerEntries, 'ledger', 'orderId', 'kind', 'means', 'amount', 'due'),
        ...fils,
        amountUnit: sql`case ${ledgerEntries.ledger} when 'bottles' then 'bottles' else 'fils' end`,
        ...columnsOnly(ledgerEntries, 'reference', 'notes', 'happenedAt'),
      },
      erase: { clear: [ledgerEntries.reference, ledgerEntries.notes] },
    },
  ),
  of(bottleBalances, 'bottles', 'no: counts, deposits and ids; the account that they name is empty', {
    owner: byUser(bottleBalances.customerId),
    columns: { ...columnsOnly(bottleBalances, 'vendorId', 'bottleTypeId', 'count', 'deposit', 'movedOn'), ...fils },
  }),
  of(
    visits,
    'visits',
    'open ones cancelled; name, phone, address, place and notes taken out; counts and amounts stay',
    {
      owner: byUser(visits.customerId),
      columns: {
        ...columnsExcept(visits, 'driverId', 'reportKeys', 'reports', 'createdBy', 'version'),
        ...fils,
      },
      erase: (ctx, { id }) => eraseVisitsOf(ctx, id),
    },
  ),
  of(driverRuns, 'no: ids of orders in a row', 'no: ids alone'),
  of(customerNotes, 'customerNotes', 'deleted', {
    owner: byUser(customerNotes.userId),
    columns: columnsOnly(customerNotes, 'vendorId', 'body', 'createdAt', 'removedAt'),
    erase: 'delete',
  }),
  of(customerImportRows, 'customerImports', 'deleted', {
    owner: byUser(customerImportRows.userId),
    rows: special.customerImportsOf,
    erase: 'delete',
  }),
  of(customerAnswers, 'customerAnswers', 'deleted', {
    owner: byUser(customerAnswers.userId),
    columns: columnsExcept(customerAnswers, 'createdBy'),
    erase: 'delete',
  }),
  of(customerTags, 'customerTags', 'deleted', { owner: byUser(customerTags.userId), erase: 'delete' }),
  of(customerTotals, 'customerTotals', 'deleted', { owner: byUser(customerTotals.userId), erase: 'delete' }),
  of(magicLinks, 'links', 'deleted', {
    owner: byPhone(magicLinks.phone),
    columns: columnsExcept(magicLinks, 'token', 'createdBy', 'revokedBy'),
    erase: 'delete',
  }),
  of(staffInvitations, 'invitations', 'deleted', {
    owner: byPhone(staffInvitations.phone),
    columns: columnsExcept(staffInvitations, 'invitedBy'),
    erase: 'delete',
  }),
  of(whatsappWebhookEvents, 'webhookEvents', 'deleted by sender and recipient, before the contact', {
    rows: ({ db }, { phone, maxRows }) => exportEvents(db, phone, maxRows),
    erase: ({ db }, { phone }) => eraseEventsOf(db, phone),
  }),
  of(whatsappWebhookKeys, 'no: part of the events', 'deleted with their events'),
  of(telegramMessages, mirrored, 'deleted with the contact; in Telegram by a job, as far as it allows'),
  of(telegramUpdates, mirrored, 'payload taken out where it is of the topic of the person', {
    erase: (ctx, { phone }) => eraseTelegramOf(ctx, phone),
  }),
  of(
    telegramLinkCodes,
    'no: hashes of codes',
    'no: of staff alone, who cannot erase their account while they are staff',
  ),
  of(botSessions, 'botSessions', 'deleted with the contact', { owner: byContact(botSessions.contactId) }),
  of(botMisses, 'botMisses', 'deleted with the contact', {
    owner: byContact(botMisses.contactId),
    columns: columnsOnly(botMisses, 'text', 'createdAt'),
  }),
  of(botMessageHistory, 'botHistory', 'deleted with the contact', { owner: byContact(botMessageHistory.contactId) }),
  of(conversationNotes, 'conversationNotes', 'deleted with the contact', {
    owner: byContact(conversationNotes.contactId),
    columns: columnsOnly(conversationNotes, 'body', 'createdAt'),
  }),
  of(conversations.conversationCases, 'conversationCases', 'deleted with the contact', {
    owner: byContact(conversations.conversationCases.contactId),
    columns: columnsOnly(conversations.conversationCases, 'beganAt', 'answeredAt', 'endedAt', 'rating', 'ratedAt'),
  }),
  of(messageFiles, 'messageFiles', 'deleted with their message', {
    rows: ({ db }, { phone, maxRows }) => exportFiles(db, phone, maxRows),
  }),
  of(media, 'messageFiles', 'files of customers deleted with the last message that has them'),
  of(contacts, 'contacts', 'deleted', {
    owner: byPhone(contacts.phone),
    columns: columnsExcept(contacts, 'searchText', 'blockedBy'),
    erase: 'delete',
  }),
  of(threads, 'conversations', 'deleted with the contact', {
    owner: byContact(threads.contactId),
    columns: columnsExcept(threads, 'assignedTo', 'pausedBy', 'telegramThreadId', 'mutedBy'),
  }),
  of(messages, 'messages', 'deleted', {
    // Messages stay with their contact if the number gets a new owner. Only those without a contact match by number.
    owner: (person) =>
      or(byContact(messages.contactId)(person), and(isNull(messages.contactId), eq(messages.toNumber, person.phone))),
    columns: columnsExcept(messages, 'dedupeKey', 'claimedAt', 'sentByUserId', 'searchText', 'readByAdmin', 'readAt'),
    erase: 'delete',
  }),
  of(earlyMessageChanges, 'messageChanges', 'deleted with the contact', {
    owner: byContact(earlyMessageChanges.contactId),
  }),
  of(
    templateSends,
    'campaignSends',
    'phone, values, contact and words of errors taken out; the figures of the campaign stay',
    { rows: special.campaignSendsOf, erase: (ctx, { phone }) => eraseSendsTo(ctx, phone) },
  ),
  of(templateCampaigns, 'campaignsTakenOut', 'deleted from the list of people taken out', {
    rows: special.campaignsWithout,
  }),
  of(pushSubscriptions, 'notificationDevices', 'deleted with the session', { rows: special.notificationDevicesOf }),
  of(sessions, 'sessions', 'deleted', { rows: special.sessionsOf, erase: (ctx, { id }) => endSessionsOf(ctx, id) }),
  of(passkeys, 'passkeys', 'deleted', { owner: byUser(passkeys.userId), columns: passkeyColumns, erase: 'delete' }),
  of(passkeyChallenges, 'no: hashes', 'deleted', { owner: byUser(passkeyChallenges.userId), erase: 'delete' }),
  of(knownDevices, 'devices', 'deleted', { ...devicesOf, erase: 'delete' }),
  // Without the network that asked for a code, which can be another person's.
  of(loginCodes, 'codes', 'deleted', {
    owner: byPhone(loginCodes.phone),
    columns: columnsOnly(loginCodes, 'phone', 'language', 'attempts', 'createdAt', 'usedAt'),
    erase: 'delete',
  }),
  of(loginFailures, 'failedSignIns', 'deleted', {
    owner: byPhone(loginFailures.phone),
    columns: columnsOnly(loginFailures, 'digits', 'createdAt'),
    newest: loginFailures.createdAt,
    erase: 'delete',
  }),
  of(messageLogins, 'messageSignIns', 'deleted', {
    owner: byPhone(messageLogins.phone),
    columns: columnsOnly(messageLogins, 'device', 'language', 'askedAt', 'provedAt', 'createdAt'),
    newest: messageLogins.createdAt,
    erase: 'delete',
  }),
  of(addresses, 'addresses', 'deleted', {
    owner: byUser(addresses.userId),
    rows: async (ctx, { id, maxRows }) =>
      (await listAddressRows(ctx, id, maxRows)).map(({ userId: _, ...address }) => address),
    erase: 'delete',
  }),
  of(users, 'user', 'everything but the id taken out', { rows: special.userOfPerson, erase: special.eraseUser }),
  of(auditLog, 'audit', 'address and browser taken out; who did what and when stays', {
    rows: special.auditOf,
    erase: (ctx, { id }) => eraseAuditTrail(ctx, id),
  }),
]
