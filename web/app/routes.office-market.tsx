import { createRoute } from '@tanstack/react-router'
import { lazyPage as officePage } from './page.ts'
import { getParentRoute } from './routes.office-root.tsx'

const magicLinks = createRoute({
  getParentRoute,
  path: '/admin/magic-links',
  ...officePage('links/office/LinksPage.tsx', () => import('../links/office/LinksPage.tsx'), [
    'office-links',
    'validation',
  ]),
})

const jobs = createRoute({
  getParentRoute,
  path: '/admin/jobs',
  ...officePage('queues/office/JobsPage.tsx', () => import('../queues/office/JobsPage.tsx'), ['office-jobs']),
})

const legacy = createRoute({
  getParentRoute,
  path: '/admin/legacy',
  ...officePage('legacy/office/LegacyPage.tsx', () => import('../legacy/office/LegacyPage.tsx'), ['office-legacy']),
})

const whatsapp = createRoute({
  getParentRoute,
  path: '/admin/whatsapp',
  ...officePage('whatsapp/office/InboxPage.tsx', () => import('../whatsapp/office/InboxPage.tsx'), [
    'office-inbox',
    'validation',
  ]),
})

const connection = createRoute({
  getParentRoute,
  path: '/admin/whatsapp/connection',
  ...officePage('whatsapp/office/ConnectionPage.tsx', () => import('../whatsapp/office/ConnectionPage.tsx'), [
    'office-connection',
  ]),
})

const templates = createRoute({
  getParentRoute,
  path: '/admin/whatsapp/templates',
  ...officePage('whatsapp/office/TemplatesPage.tsx', () => import('../whatsapp/office/TemplatesPage.tsx'), [
    'office-templates',
    'office-connection',
  ]),
})
const campaignWords = ['office-campaigns', 'office-templates', 'office-connection', 'validation'] as const
const campaigns = createRoute({
  getParentRoute,
  path: '/admin/whatsapp/campaigns',
  ...officePage(
    'whatsapp/office/CampaignsPage.tsx',
    () => import('../whatsapp/office/CampaignsPage.tsx'),
    campaignWords,
  ),
})
const newCampaign = createRoute({
  getParentRoute,
  path: '/admin/whatsapp/campaigns/new',
  ...officePage(
    'whatsapp/office/NewCampaignPage.tsx',
    () => import('../whatsapp/office/NewCampaignPage.tsx'),
    campaignWords,
  ),
})
const campaign = createRoute({
  getParentRoute,
  path: '/admin/whatsapp/campaigns/$id',
  ...officePage('whatsapp/office/CampaignPage.tsx', () => import('../whatsapp/office/CampaignPage.tsx'), campaignWords),
})
const editCampaign = createRoute({
  getParentRoute,
  path: '/admin/whatsapp/campaigns/$id/edit',
  ...officePage(
    'whatsapp/office/EditCampaignPage.tsx',
    () => import('../whatsapp/office/EditCampaignPage.tsx'),
    campaignWords,
  ),
})
const webhooks = createRoute({
  getParentRoute,
  path: '/admin/whatsapp/webhooks',
  ...officePage('whatsapp/office/WebhooksPage.tsx', () => import('../whatsapp/office/WebhooksPage.tsx'), [
    'office-webhooks',
    'office-connection',
  ]),
})

/** The market's own pages: conversations, links, background work. */
export const marketRoutes = [
  magicLinks,
  jobs,
  legacy,
  whatsapp,
  connection,
  templates,
  campaigns,
  newCampaign,
  campaign,
  editCampaign,
  webhooks,
] as const
