import { createRoute } from '@tanstack/react-router'
import { lazyPage as adminPage } from '../page.ts'
import { getParentRoute } from './routes.admin-root.tsx'

const magicLinks = createRoute({
  getParentRoute,
  path: '/admin/magic-links',
  ...adminPage('links/admin/LinksPage.tsx', () => import('../../links/admin/LinksPage.tsx'), [
    'admin-links',
    'validation',
  ]),
})

const jobs = createRoute({
  getParentRoute,
  path: '/admin/jobs',
  ...adminPage('queues/admin/JobsPage.tsx', () => import('../../queues/admin/JobsPage.tsx'), ['admin-jobs']),
})

const setupWords = ['admin-setup', 'validation'] as const
const setup = createRoute({
  getParentRoute,
  path: '/admin/setup',
  ...adminPage('setup/admin/SetupPage.tsx', () => import('../../setup/admin/SetupPage.tsx'), setupWords),
})
const settings = createRoute({
  getParentRoute,
  path: '/admin/settings',
  ...adminPage('setup/admin/SettingsPage.tsx', () => import('../../setup/admin/SettingsPage.tsx'), setupWords),
})

const legacy = createRoute({
  getParentRoute,
  path: '/admin/legacy',
  ...adminPage('legacy/admin/LegacyPage.tsx', () => import('../../legacy/admin/LegacyPage.tsx'), ['admin-legacy']),
})

const customerImport = createRoute({
  getParentRoute,
  path: '/admin/customers/import',
  ...adminPage('customers/admin/ImportPage.tsx', () => import('../../customers/admin/ImportPage.tsx'), [
    'admin-customer-import',
    'admin-import',
  ]),
})

const whatsapp = createRoute({
  getParentRoute,
  path: '/admin/whatsapp',
  ...adminPage('whatsapp/admin/inbox/InboxPage.tsx', () => import('../../whatsapp/admin/inbox/InboxPage.tsx'), [
    'admin-inbox',
    'admin-orders',
    'partial-delivery',
    'order-edit',
    'checkout',
    'days',
    'validation',
  ]),
})

const connection = createRoute({
  getParentRoute,
  path: '/admin/whatsapp/connection',
  ...adminPage(
    'whatsapp/admin/connection/ConnectionPage.tsx',
    () => import('../../whatsapp/admin/connection/ConnectionPage.tsx'),
    ['admin-connection', 'admin-whatsapp-setup', 'admin-templates'],
  ),
})

const templates = createRoute({
  getParentRoute,
  path: '/admin/whatsapp/templates',
  ...adminPage(
    'whatsapp/admin/templates/TemplatesPage.tsx',
    () => import('../../whatsapp/admin/templates/TemplatesPage.tsx'),
    ['admin-templates', 'admin-connection'],
  ),
})
const campaignWords = ['admin-campaigns', 'admin-templates', 'admin-connection', 'validation'] as const
const campaigns = createRoute({
  getParentRoute,
  path: '/admin/whatsapp/campaigns',
  ...adminPage(
    'whatsapp/admin/campaigns/CampaignsPage.tsx',
    () => import('../../whatsapp/admin/campaigns/CampaignsPage.tsx'),
    campaignWords,
  ),
})
const newCampaign = createRoute({
  getParentRoute,
  path: '/admin/whatsapp/campaigns/new',
  ...adminPage(
    'whatsapp/admin/campaign-form/NewCampaignPage.tsx',
    () => import('../../whatsapp/admin/campaign-form/NewCampaignPage.tsx'),
    campaignWords,
  ),
})
const campaign = createRoute({
  getParentRoute,
  path: '/admin/whatsapp/campaigns/$id',
  ...adminPage(
    'whatsapp/admin/campaigns/CampaignPage.tsx',
    () => import('../../whatsapp/admin/campaigns/CampaignPage.tsx'),
    campaignWords,
  ),
})
const editCampaign = createRoute({
  getParentRoute,
  path: '/admin/whatsapp/campaigns/$id/edit',
  ...adminPage(
    'whatsapp/admin/campaign-form/EditCampaignPage.tsx',
    () => import('../../whatsapp/admin/campaign-form/EditCampaignPage.tsx'),
    campaignWords,
  ),
})
const assistant = createRoute({
  getParentRoute,
  path: '/admin/whatsapp/assistant',
  ...adminPage(
    'whatsapp/admin/assistant/AssistantPage.tsx',
    () => import('../../whatsapp/admin/assistant/AssistantPage.tsx'),
    ['admin-assistant', 'admin-connection', 'validation'],
  ),
})
const webhooks = createRoute({
  getParentRoute,
  path: '/admin/whatsapp/webhooks',
  ...adminPage(
    'whatsapp/admin/webhooks/WebhooksPage.tsx',
    () => import('../../whatsapp/admin/webhooks/WebhooksPage.tsx'),
    ['admin-webhooks', 'admin-connection'],
  ),
})

/** Pages of market admins: set-up, conversations, links, background jobs, import of customers. */
export const marketRoutes = [
  setup,
  settings,
  magicLinks,
  jobs,
  legacy,
  customerImport,
  whatsapp,
  connection,
  templates,
  campaigns,
  newCampaign,
  campaign,
  editCampaign,
  assistant,
  webhooks,
] as const
