import type { AdminPage } from './admin-page.ts'

/** What the pages of one section have in common. */
const vendorWords = ['admin-vendors', 'admin-areas', 'admin-calendar', 'validation'] as const
const vendors = {
  allow: 'super',
  permissions: ['vendors.write'],
  label: 'admin.nav.vendors',
  messages: vendorWords,
} as const
const areas = { allow: 'admin', permissions: ['areas.read'], label: 'admin.nav.areas' } as const
const areaWords = ['admin-areas', 'validation'] as const
const users = { allow: ['super_admin', 'vendor_admin'], permissions: ['users.read'], label: 'admin.nav.users' } as const
const setupWords = ['admin-setup', 'validation'] as const
const whatsappSettings = {
  allow: 'super',
  label: 'admin.nav.whatsappSettings',
  under: '/admin/whatsapp/connection',
} as const
const campaigns = {
  ...whatsappSettings,
  permissions: ['campaigns.write'],
  messages: ['admin-campaigns', 'admin-templates', 'admin-connection', 'validation'],
} as const

/** Pages of the market: vendors, areas, people, settings, campaigns. */
export const marketPages = [
  {
    ...vendors,
    path: '/admin/vendors',
    file: 'vendors/admin/VendorsPage.tsx',
    nav: { group: 'market', icon: 'vendors', key: 'w' },
  },
  { ...vendors, path: '/admin/vendors/new', file: 'vendors/admin/VendorPage.tsx', parent: '/admin/vendors' },
  { ...vendors, path: '/admin/vendors/$id', file: 'vendors/admin/VendorPage.tsx', parent: '/admin/vendors' },
  { ...vendors, path: '/admin/vendors/$id/areas', file: 'vendors/admin/VendorAreasPage.tsx', skeleton: 'board' },
  {
    ...areas,
    path: '/admin/areas',
    file: 'areas/admin/AreasPage.tsx',
    messages: areaWords,
    skeleton: 'board',
    nav: { group: 'market', icon: 'areas', key: 'a' },
  },
  { ...areas, path: '/admin/areas/$id', parent: '/admin/areas', skeleton: 'board' },
  {
    ...areas,
    path: '/admin/blocks',
    file: 'areas/admin/BlocksPage.tsx',
    label: 'admin.nav.blocks',
    messages: areaWords,
    under: '/admin/areas',
  },
  {
    path: '/admin/calendar',
    file: 'calendar/admin/CalendarPage.tsx',
    allow: 'admin',
    permissions: ['calendar.read'],
    label: 'admin.nav.calendar',
    messages: ['admin-calendar', 'validation'],
    skeleton: 'board',
    nav: { group: 'market', icon: 'calendar', key: 'h' },
  },
  {
    ...users,
    path: '/admin/users',
    file: 'users/admin/UsersPage.tsx',
    messages: ['admin-users', 'validation'],
    nav: { group: 'market', icon: 'users', key: 'u' },
  },
  { ...users, path: '/admin/users/new', permissions: ['users.write'], panelOf: '/admin/users' },
  { ...users, path: '/admin/users/$id', panelOf: '/admin/users' },
  {
    path: '/admin/audit',
    file: 'audit/admin/AuditPage.tsx',
    allow: users.allow,
    permissions: ['audit.read'],
    label: 'admin.nav.audit',
    messages: ['admin-audit'],
    nav: { group: 'market', icon: 'audit', key: 'l' },
  },
  {
    path: '/admin/setup',
    file: 'setup/admin/SetupPage.tsx',
    allow: 'super',
    permissions: ['settings.read', 'areas.read', 'vendors.read'],
    label: 'admin.nav.setup',
    messages: setupWords,
    skeleton: 'board',
    nav: { group: 'market', icon: 'setup', key: 't' },
  },
  {
    path: '/admin/settings',
    file: 'setup/admin/SettingsPage.tsx',
    allow: 'super',
    permissions: ['settings.read'],
    label: 'admin.nav.settings',
    messages: setupWords,
    skeleton: 'form',
    nav: { group: 'market', icon: 'company', key: 'f' },
  },
  {
    path: '/admin/magic-links',
    file: 'links/admin/LinksPage.tsx',
    allow: 'super',
    permissions: ['links.read'],
    label: 'admin.nav.links',
    messages: ['admin-links', 'validation'],
    nav: { group: 'market', icon: 'links', key: 'e' },
  },
  {
    path: '/admin/jobs',
    file: 'queues/admin/JobsPage.tsx',
    allow: 'super',
    permissions: ['jobs.read'],
    label: 'admin.nav.jobs',
    messages: ['admin-jobs'],
    nav: { group: 'market', icon: 'jobs', key: 'j' },
  },
  {
    path: '/admin/legacy',
    file: 'legacy/admin/LegacyPage.tsx',
    allow: 'super',
    permissions: ['legacy.read'],
    label: 'admin.nav.legacy',
    messages: ['admin-legacy'],
    nav: { group: 'market', icon: 'legacy', key: 'y' },
  },
  {
    path: '/admin/vendor-control',
    file: 'vendors/admin/VendorControlPage.tsx',
    allow: 'admin',
    permissions: ['vendors.control'],
    label: 'admin.nav.control',
    messages: vendorWords,
    skeleton: 'form',
    nav: { group: 'market', icon: 'control', key: 's' },
  },
  {
    path: '/admin/whatsapp/connection',
    file: 'whatsapp/admin/connection/ConnectionPage.tsx',
    allow: 'super',
    permissions: ['whatsapp.connect'],
    label: 'admin.nav.whatsappSettings',
    messages: ['admin-connection', 'admin-whatsapp-setup', 'admin-templates'],
    skeleton: 'board',
    nav: { group: 'market', icon: 'settings', key: 'k' },
  },
  {
    ...whatsappSettings,
    path: '/admin/whatsapp/templates',
    file: 'whatsapp/admin/templates/TemplatesPage.tsx',
    permissions: ['whatsapp.write'],
    messages: ['admin-templates', 'admin-connection'],
  },
  {
    ...campaigns,
    path: '/admin/whatsapp/campaigns',
    file: 'whatsapp/admin/campaigns/CampaignsPage.tsx',
    permissions: ['campaigns.read'],
  },
  {
    ...campaigns,
    path: '/admin/whatsapp/campaigns/new',
    file: 'whatsapp/admin/campaign-form/NewCampaignPage.tsx',
    skeleton: 'form',
  },
  {
    ...campaigns,
    path: '/admin/whatsapp/campaigns/$id/edit',
    file: 'whatsapp/admin/campaign-form/EditCampaignPage.tsx',
    skeleton: 'form',
  },
  {
    ...campaigns,
    path: '/admin/whatsapp/campaigns/$id',
    file: 'whatsapp/admin/campaigns/CampaignPage.tsx',
    permissions: ['campaigns.read'],
    skeleton: 'board',
  },
  {
    ...whatsappSettings,
    path: '/admin/whatsapp/assistant',
    file: 'whatsapp/admin/assistant/AssistantPage.tsx',
    permissions: ['whatsapp.read'],
    messages: ['admin-assistant', 'admin-connection', 'validation'],
  },
  {
    ...whatsappSettings,
    path: '/admin/whatsapp/webhooks',
    file: 'whatsapp/admin/webhooks/WebhooksPage.tsx',
    messages: ['admin-webhooks', 'admin-connection'],
  },
] as const satisfies readonly AdminPage[]
