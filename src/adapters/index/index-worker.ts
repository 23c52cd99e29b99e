/** What a thread of the index runs. */
import { serveIndex } from './extract.ts';

serveIndex();
