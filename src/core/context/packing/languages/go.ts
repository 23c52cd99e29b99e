/** Go. */
import type { Language } from '../language.ts';
import { words } from './words.ts';

export const go: Language = {
  keywords: words('break case chan const continue default defer else fallthrough for func go goto if import interface map package range return select struct switch type var iota nil true false _ init main'),
  globals: words(`any append bool byte cap clear close comparable complex complex128 complex64 copy delete error float32 float64 imag int int16 int32 int64 int8 len make max min new panic print println real recover
    rune string uint uint16 uint32 uint64 uint8 uintptr`),
  members: words('Add Close Done Error Errorf Fatal Fatalf Format Get Helper Len Less Lock Log Logf Name New Parse Parallel Print Printf Println Read Run Scan Set Skip Sprintf String Swap Unlock Unwrap Wait Write RLock RUnlock'),
  parameters: 'go',
  importsNames: false,
  namesFields: 'colon',
};
