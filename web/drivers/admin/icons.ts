/** Icons of the run alone; what points somewhere goes into the list of styles/pieces.css. */
export {
  GripVertical as GripIcon,
  Navigation as NavigateIcon,
  StickyNote as NoteIcon,
} from 'lucide-react'
