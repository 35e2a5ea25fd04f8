import { adminPageAt, navigationOf } from '@qatra/contract/admin'
import type { AdminIcon, AdminPage } from '@qatra/contract/admin-page'
import { listBottleTypes } from '@qatra/contract/products/bottle-types'
import { useQuery } from '@tanstack/react-query'
import { useRouter, useRouterState } from '@tanstack/react-router'
import { read } from '../lib/api-client.ts'
import { useUser } from '../lib/current-user.ts'
import {
  ArchiveIcon,
  BottleIcon,
  ChartIcon,
  ChatIcon,
  ControlIcon,
  FactsIcon,
  FlagIcon,
  HistoryIcon,
  KeyIcon,
  PeopleIcon,
  QueueIcon,
  ReceiptIcon,
  RouteIcon,
  ScaleIcon,
  StoreIcon,
  WheelIcon,
} from '../ui/admin/icons.ts'
import { useIsTalking } from '../ui/admin/nav-counts.ts'
import {
  BoxIcon,
  CalendarIcon,
  CashIcon,
  GridIcon,
  type Icon,
  LinkIcon,
  PinIcon,
  PlusIcon,
  UserIcon,
} from '../ui/icons.tsx'

export const navIcons: Record<AdminIcon, Icon> = {
  dashboard: GridIcon,
  orders: ReceiptIcon,
  customers: PeopleIcon,
  vendors: StoreIcon,
  products: BoxIcon,
  drivers: WheelIcon,
  cash: CashIcon,
  corrections: ScaleIcon,
  report: ChartIcon,
  bottles: BottleIcon,
  users: UserIcon,
  control: ControlIcon,
  areas: PinIcon,
  calendar: CalendarIcon,
  audit: HistoryIcon,
  sales: PlusIcon,
  run: RouteIcon,
  links: KeyIcon,
  jobs: QueueIcon,
  legacy: ArchiveIcon,
  whatsapp: ChatIcon,
  settings: LinkIcon,
  setup: FlagIcon,
  company: FactsIcon,
}

/** The navigation entries of this person's role and permissions. */
export function useNavigation(): AdminPage[] {
  const user = useUser()
  const { routesByPath } = useRouter()
  const isTalking = useIsTalking()
  const entries = user ? navigationOf(user) : []
  const mayHaveBottles = entries.some(({ nav }) => nav?.needsBottles)
  const { data: types } = useQuery({ ...read(listBottleTypes), enabled: mayHaveBottles })
  const hasBottles = types?.some(({ isOffered }) => isOffered) ?? false
  return entries.filter(
    ({ path, nav }) => path in routesByPath && (isTalking || !nav?.needsTalk) && (hasBottles || !nav?.needsBottles),
  )
}

/** They list the rare pages. */
const settingsPages: readonly string[] = ['/admin/settings', '/admin/vendor-control']

/** The entries of the rail; a rare page is current as its settings. */
export const inRail = (entries: readonly AdminPage[]) => entries.filter(({ nav }) => !nav?.isRare)

/** The current entry: the one of the page, else the one with the longest matching path. */
export function useCurrentEntry(entries: readonly AdminPage[]): AdminPage | undefined {
  const path = useRouterState({ select: ({ location }) => location.pathname })
  const here = adminPageAt(path)
  const above = entries.filter((entry) => path === entry.path || path.startsWith(`${entry.path}/`))
  const owner = entries.find(({ path: at }) => at === here?.under)
  const settings =
    here?.nav?.isRare || here?.under ? entries.find(({ path: at }) => settingsPages.includes(at)) : undefined
  return (
    entries.find((entry) => entry === here) ??
    owner ??
    settings ??
    above.sort((a, b) => b.path.length - a.path.length)[0]
  )
}

/** The table has paths as strings; a test compares them with the typed routes. */
export const pathOf = (entry: AdminPage) => entry.path as '/admin'

/** Options of a link that is active only on its exact path. */
export const exactly = { exact: true, includeSearch: false }
