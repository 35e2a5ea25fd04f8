import { createLucideIcon } from 'lucide-react'
import type { ComponentType, SVGProps } from 'react'

/*
 * The icon set. The style sheet sets the stroke width of 1.75 and mirrors directional icons in Arabic; a new directional
 * icon is added to its list. Icons are hidden from screen readers; the text beside them has the meaning.
 */
export {
  ArrowLeftRight as SwapIcon,
  Banknote as CashIcon,
  Bell as NewIcon,
  CalendarDays as CalendarIcon,
  Check as CheckIcon,
  ChevronDown as DownIcon,
  ChevronLeft as StartIcon,
  ChevronRight as EndIcon,
  ChevronUp as UpIcon,
  Clock as ClockIcon,
  Copy as CopyIcon,
  Download as DownloadIcon,
  Droplet as DropIcon,
  Globe as GlobeIcon,
  House as HouseIcon,
  Info as InfoIcon,
  LayoutGrid as GridIcon,
  Link as LinkIcon,
  LocateFixed as LocateIcon,
  Lock as LockIcon,
  LogOut as SignOutIcon,
  MapPin as PinIcon,
  MessageSquare as SmsIcon,
  Minus as MinusIcon,
  Package as BoxIcon,
  Pencil as EditIcon,
  Phone as PhoneIcon,
  Plus as PlusIcon,
  RefreshCw as AgainIcon,
  Search as SearchIcon,
  SendHorizontal as SendIcon,
  ShieldCheck as ShieldIcon,
  ShoppingCart as CartIcon,
  StickyNote as NoteIcon,
  Trash2 as BinIcon,
  TriangleAlert as WarningIcon,
  Truck as TruckIcon,
  User as UserIcon,
  X as CloseIcon,
  Zap as FastIcon,
} from 'lucide-react'

export type Icon = ComponentType<SVGProps<SVGSVGElement> & { size?: number | string }>

/** Lucide has no brand icons: a speech bubble with a handset in its style. */
export const WhatsAppIcon = createLucideIcon('whatsapp', [
  ['path', { d: 'M3 21l1.7-4.6A9 9 0 1 1 8 19.7Z', key: 'bubble' }],
  [
    'path',
    { d: 'M9.2 8.6c-.5 3 2.8 6.600 6 6.200l.8-1.900-2-1-1 1c-1-.5-1.700-1.200-2.100-2.100l1-1-.9-2Z', key: 'handset' },
  ],
])

/** Telegram: a paper plane. */
export const TelegramIcon = createLucideIcon('telegram', [
  ['path', { d: 'M21 4 2.5 11.300l5.700 2 2.300 6.700 3.200-3.900 5 3.700Z', key: 'plane' }],
  ['path', { d: 'm8.200 13.300 8-5.300-6.200 7', key: 'fold' }],
])
