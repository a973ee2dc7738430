import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.apache.lucene.util.BytesRef;
import org.elasticsearch.common.breaker.NoopCircuitBreaker;
import org.elasticsearch.common.logging.LogConfigurator;
import org.elasticsearch.common.settings.Settings;
import org.elasticsearch.common.util.BigArrays;
import org.elasticsearch.compute.data.Block;
import org.elasticsearch.compute.data.BlockFactory;
import org.elasticsearch.compute.data.BooleanBlock;
import org.elasticsearch.compute.data.BytesRefBlock;
import org.elasticsearch.compute.data.Page;
import org.elasticsearch.compute.operator.DriverContext;
import org.elasticsearch.compute.operator.EvalOperator.ExpressionEvaluator;
import org.elasticsearch.index.IndexMode;
import org.elasticsearch.license.XPackLicenseState;
import org.elasticsearch.xpack.esql.analysis.Analyzer;
import org.elasticsearch.xpack.esql.analysis.AnalyzerContext;
import org.elasticsearch.xpack.esql.analysis.EnrichResolution;
import org.elasticsearch.xpack.esql.analysis.Verifier;
import org.elasticsearch.xpack.esql.core.expression.Attribute;
import org.elasticsearch.xpack.esql.core.expression.FoldContext;
import org.elasticsearch.xpack.esql.core.type.DataType;
import org.elasticsearch.xpack.esql.core.type.EsField;
import org.elasticsearch.xpack.esql.evaluator.EvalMapper;
import org.elasticsearch.xpack.esql.expression.function.EsqlFunctionRegistry;
import org.elasticsearch.xpack.esql.index.EsIndex;
import org.elasticsearch.xpack.esql.index.IndexResolution;
import org.elasticsearch.xpack.esql.inference.InferenceResolution;
import org.elasticsearch.xpack.esql.optimizer.LogicalOptimizerContext;
import org.elasticsearch.xpack.esql.optimizer.LogicalPlanOptimizer;
import org.elasticsearch.xpack.esql.parser.EsqlParser;
import org.elasticsearch.xpack.esql.plan.logical.EsRelation;
import org.elasticsearch.xpack.esql.plan.logical.Filter;
import org.elasticsearch.xpack.esql.plan.logical.LogicalPlan;
import org.elasticsearch.xpack.esql.planner.Layout;
import org.elasticsearch.xpack.esql.plugin.QueryPragmas;
import org.elasticsearch.xpack.esql.session.Configuration;
import org.elasticsearch.xpack.esql.telemetry.Metrics;

/**
 * Runs queries of ES|QL over a table of events by Elasticsearch's own parser, analyzer, optimizer and evaluators, without a node:
 * what a node would push down to an index is evaluated over the values. All fields are keywords.
 *
 * Lines of the input are words, percent-encoded: `table` and the names of its columns; `row` and its values, `-` for none and
 * else after `=`; `query` and its text. A line of output for each query: `found` and rows, or `error` and a message.
 */
public class Esql {
  static {
    LogConfigurator.configureESLogging();
  }

  static final BlockFactory BLOCKS = BlockFactory.getInstance(new NoopCircuitBreaker("test"), BigArrays.NON_RECYCLING_INSTANCE);
  static final EsqlFunctionRegistry FUNCTIONS = new EsqlFunctionRegistry();
  static final Verifier VERIFIER = new Verifier(new Metrics(FUNCTIONS), new XPackLicenseState(() -> 0L));

  public static void main(String[] arguments) throws Exception {
    PrintStream out = new PrintStream(System.out, false, "UTF-8");
    // Warnings of casts and of the log are no results.
    System.setOut(System.err);
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    List<String> columns = List.of();
    List<String[]> rows = new ArrayList<>();
    for (String line; (line = in.readLine()) != null; ) {
      String[] words = line.split("\t", -1);
      for (int i = 1; i < words.length; i++) words[i] = URLDecoder.decode(words[i], "UTF-8");
      if (words[0].equals("table")) {
        columns = List.of(words).subList(1, words.length);
        rows.clear();
      } else if (words[0].equals("row")) {
        rows.add(words);
      } else {
        out.println(find(columns, rows, words[1]));
      }
    }
    out.flush();
  }

  static String find(List<String> columns, List<String[]> rows, String query) {
    try {
      Configuration configuration = new Configuration(
        ZoneOffset.UTC, Locale.ROOT, "test", "test", new QueryPragmas(Settings.EMPTY), 1_000_000, 1_000_000, query, false, Map.of(), 0, false);
      LogicalPlan plan = plan(columns, query, configuration);
      List<EsRelation> relations = new ArrayList<>();
      List<Filter> filters = new ArrayList<>();
      plan.forEachDown(EsRelation.class, relations::add);
      plan.forEachDown(Filter.class, filters::add);
      StringBuilder found = new StringBuilder("found");
      // What can find nothing is optimized away.
      if (relations.isEmpty()) return found.toString();
      List<Attribute> attributes = relations.get(0).output();
      boolean[] holds = new boolean[rows.size()];
      java.util.Arrays.fill(holds, true);
      Page page = toPage(attributes, columns, rows);
      for (Filter filter : filters) {
        Layout layout = new Layout.Builder().append(attributes).build();
        ExpressionEvaluator evaluator = EvalMapper.toEvaluator(new FoldContext(1 << 30), filter.condition(), layout)
          .get(new DriverContext(BigArrays.NON_RECYCLING_INSTANCE, BLOCKS));
        BooleanBlock block = (BooleanBlock) evaluator.eval(page);
        for (int row = 0; row < holds.length; row++) {
          holds[row] &= !block.isNull(row) && block.getBoolean(block.getFirstValueIndex(row));
        }
      }
      for (int row = 0; row < holds.length; row++) if (holds[row]) found.append('\t').append(row);
      return found.toString();
    } catch (Exception | LinkageError | StackOverflowError error) {
      return "error\t" + String.valueOf(error).replaceAll("\\s+", " ");
    }
  }

  static LogicalPlan plan(List<String> columns, String query, Configuration configuration) {
    Map<String, EsField> mapping = new LinkedHashMap<>();
    for (String name : columns) mapping.put(name, new EsField(name, DataType.KEYWORD, Map.of(), true));
    IndexResolution index = IndexResolution.valid(new EsIndex("events", mapping, Map.of("events", IndexMode.STANDARD)));
    AnalyzerContext context = new AnalyzerContext(configuration, FUNCTIONS, index, new EnrichResolution(), InferenceResolution.EMPTY);
    LogicalPlan analyzed = new Analyzer(context, VERIFIER).analyze(new EsqlParser().createStatement(query, configuration));
    return new LogicalPlanOptimizer(new LogicalOptimizerContext(configuration, new FoldContext(1 << 30))).optimize(analyzed);
  }

  static Page toPage(List<Attribute> attributes, List<String> columns, List<String[]> rows) {
    Block[] blocks = attributes.stream().map(attribute -> toBlock(columns.indexOf(attribute.name()) + 1, rows)).toArray(Block[]::new);
    return new Page(rows.size(), blocks);
  }

  static Block toBlock(int column, List<String[]> rows) {
    try (BytesRefBlock.Builder builder = BLOCKS.newBytesRefBlockBuilder(rows.size())) {
      for (String[] row : rows) {
        if (row[column].startsWith("=")) builder.appendBytesRef(new BytesRef(row[column].substring(1)));
        else builder.appendNull();
      }
      return builder.build();
    }
  }
}
