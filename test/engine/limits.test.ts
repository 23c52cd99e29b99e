import { createEndpoints } from '../../src/engine/asking/endpoint-limits.ts';
import { createCeiling } from '../../src/engine/ceiling.ts';
import { describeCeiling, describeEndpoints } from '../contracts/limits.ts';

describeCeiling('a process', createCeiling);
describeEndpoints('a process', createEndpoints);
