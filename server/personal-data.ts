import { authPersonalData } from './auth/personal.commands.ts'
import { botPersonalData } from './bot/personal.commands.ts'
import { campaignPersonalData } from './campaigns/personal.commands.ts'
import { cartPersonalData } from './cart/personal.commands.ts'
import { channelPersonalData } from './conversations/personal.commands.ts'
import { customerPersonalData } from './customers/personal.commands.ts'
import type { PersonalData } from './database/personal-data.ts'
import { driverPersonalData } from './drivers/personal.commands.ts'
import { inboxPersonalData } from './inbox/personal.commands.ts'
import { invitationPersonalData } from './invitations/personal.commands.ts'
import { legacyPersonalData } from './legacy-sync/personal.commands.ts'
import { linkPersonalData } from './links/personal.commands.ts'
import { orderPersonalData } from './orders/personal.commands.ts'
import { simulatorPersonalData } from './providers/simulator/personal.commands.ts'
import { pushPersonalData } from './push/personal.commands.ts'
import { telegramPersonalData } from './telegram/erasure/personal.commands.ts'
import { userPersonalData } from './users/personal.commands.ts'
import { webhookPersonalData } from './webhooks/personal.commands.ts'

/**
 * All features with tables of personal data, in the order of erasure. Carts come first, since checkout locks the cart
 * before the orders. Webhook events, Telegram and data of the contact need the contact; all need the account.
 */
export const personalData: readonly PersonalData[] = [
  cartPersonalData,
  orderPersonalData,
  legacyPersonalData,
  driverPersonalData,
  customerPersonalData,
  linkPersonalData,
  invitationPersonalData,
  webhookPersonalData,
  simulatorPersonalData,
  telegramPersonalData,
  botPersonalData,
  inboxPersonalData,
  channelPersonalData,
  campaignPersonalData,
  pushPersonalData,
  authPersonalData,
  userPersonalData,
]
