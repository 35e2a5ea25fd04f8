/** Icons used by the run only; directional ones are listed in styles/pieces.css. */
export {
  BookOpen as AccountIcon,
  CreditCard as CardIcon,
  GripVertical as GripIcon,
  Landmark as BankIcon,
  Navigation as NavigateIcon,
  ScrollText as ChequeIcon,
  Smartphone as MobileIcon,
  StickyNote as NoteIcon,
  Ticket as BookletIcon,
} from 'lucide-react'
