/** Icons used by the run only; directional ones are listed in styles/pieces.css. */
export {
  GripVertical as GripIcon,
  Navigation as NavigateIcon,
  StickyNote as NoteIcon,
} from 'lucide-react'
