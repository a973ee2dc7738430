import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.URLDecoder;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.LowerCaseFilter;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.DoublePoint;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.InetAddressPoint;
import org.apache.lucene.document.StringField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LeafReaderContext;
import org.apache.lucene.index.NoMergePolicy;
import org.apache.lucene.index.Term;
import org.apache.lucene.queryparser.classic.ParseException;
import org.apache.lucene.queryparser.classic.QueryParser;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreMode;
import org.apache.lucene.search.SimpleCollector;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.store.ByteBuffersDirectory;
import org.apache.lucene.store.Directory;

/**
 * Runs queries over a table of events in Lucene 8 or 9, with the types that OpenSearch and Elasticsearch give fields: keywords
 * whose normalizer folds case, numbers where they are compared, `ip` where a network is asked for.
 *
 * Lines of the input are words, percent-encoded: `table` and the names of its columns; `row` and its values, `-` for none and
 * else after `=`; `query` and its text. A line of output for each query: `found` and rows, or `error` and a message.
 */
public class Lucene {
  /** The names of the fields that a document has, as OpenSearch keeps them. */
  static final String NAMES = "_field_names";
  static final Analyzer FOLDING = new Folding();
  static final Pattern NUMBER = Pattern.compile("-?\\d+(\\.\\d+)?");
  /** Other texts would be looked up as names of hosts. */
  static final Pattern ADDRESS = Pattern.compile("((25[0-5]|2[0-4]\\d|1\\d\\d|\\d?\\d)(\\.(?!$)|$)){4}|[0-9a-fA-F]*:[0-9a-fA-F:.]*");

  public static void main(String[] arguments) throws Exception {
    // As those raise `indices.query.bool.max_clause_count` who search lists of more than 1,024 values.
    BooleanQuery.setMaxClauseCount(100_000);
    PrintStream out = new PrintStream(System.out, false, "UTF-8");
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    List<String> columns = List.of();
    IndexWriter writer = null;
    IndexSearcher searcher = null;
    for (String line; (line = in.readLine()) != null; ) {
      String[] words = line.split("\t", -1);
      for (int i = 1; i < words.length; i++) words[i] = URLDecoder.decode(words[i], "UTF-8");
      if (words[0].equals("table")) {
        columns = List.of(words).subList(1, words.length);
        searcher = null;
        // Without merges rows keep their order, so that the number of a document is that of its row.
        writer = new IndexWriter(new ByteBuffersDirectory(), new IndexWriterConfig(FOLDING).setMergePolicy(NoMergePolicy.INSTANCE));
      } else if (words[0].equals("row")) {
        writer.addDocument(toDocument(columns, words));
      } else {
        if (searcher == null) searcher = openSearcher(writer);
        out.println(find(searcher, words[1]));
      }
    }
    out.flush();
  }

  static IndexSearcher openSearcher(IndexWriter writer) throws Exception {
    writer.close();
    Directory directory = writer.getDirectory();
    return new IndexSearcher(DirectoryReader.open(directory));
  }

  static Document toDocument(List<String> columns, String[] words) {
    Document document = new Document();
    for (int i = 1; i < words.length; i++) {
      if (!words[i].startsWith("=")) continue;
      String name = columns.get(i - 1), value = words[i].substring(1);
      document.add(new StringField(NAMES, name, Field.Store.NO));
      document.add(new StringField(name, fold(name, value), Field.Store.NO));
      if (NUMBER.matcher(value).matches()) document.add(new DoublePoint(name + " number", Double.parseDouble(value)));
      InetAddress address = toAddress(value);
      if (address != null) document.add(new InetAddressPoint(name + " ip", address));
    }
    return document;
  }

  static InetAddress toAddress(String text) {
    try {
      return ADDRESS.matcher(text).matches() ? InetAddress.getByName(text) : null;
    } catch (UnknownHostException error) {
      return null;
    }
  }

  static String fold(String name, String text) {
    return FOLDING.normalize(name, text).utf8ToString();
  }

  static String find(IndexSearcher searcher, String text) {
    try {
      List<Integer> found = new ArrayList<>();
      searcher.search(new Parser().parse(text), new SimpleCollector() {
        int base;

        @Override
        protected void doSetNextReader(LeafReaderContext context) {
          base = context.docBase;
        }

        @Override
        public void collect(int document) {
          found.add(base + document);
        }

        @Override
        public ScoreMode scoreMode() {
          return ScoreMode.COMPLETE_NO_SCORES;
        }
      });
      return "found" + found.stream().sorted().map(row -> "\t" + row).collect(Collectors.joining());
    } catch (Exception error) {
      return "error\t" + String.valueOf(error).replaceAll("\\s+", " ");
    }
  }

  /** Folds the case of whole values. */
  static class Folding extends Analyzer {
    @Override
    protected TokenStreamComponents createComponents(String field) {
      throw new UnsupportedOperationException("values are not cut into words");
    }

    @Override
    protected TokenStream normalize(String field, TokenStream in) {
      return new LowerCaseFilter(in);
    }
  }

  /** What OpenSearch and Elasticsearch make of the parts of a query string. */
  static class Parser extends QueryParser {
    Parser() {
      super("no field", FOLDING);
      setAllowLeadingWildcard(true);
    }

    @Override
    protected Query getFieldQuery(String field, String text, boolean isQuoted) throws ParseException {
      if (field.equals("_exists_")) return new TermQuery(new Term(NAMES, text));
      if (isQuoted && text.contains("/")) {
        String[] network = text.split("/");
        return InetAddressPoint.newPrefixQuery(field + " ip", toAddress(network[0]), Integer.parseInt(network[1]));
      }
      if (!isQuoted && text.matches("[<>]=?.+")) return compare(field, text);
      return new TermQuery(new Term(field, fold(field, text)));
    }

    @Override
    protected Query getWildcardQuery(String field, String text) throws ParseException {
      return text.equals("*") && !field.equals("*") ? new TermQuery(new Term(NAMES, field)) : super.getWildcardQuery(field, text);
    }

    static Query compare(String field, String text) {
      boolean isInclusive = text.charAt(1) == '=', isAbove = text.charAt(0) == '>';
      double bound = Double.parseDouble(text.substring(isInclusive ? 2 : 1));
      double lowest = isAbove ? (isInclusive ? bound : DoublePoint.nextUp(bound)) : Double.NEGATIVE_INFINITY;
      double highest = isAbove ? Double.POSITIVE_INFINITY : isInclusive ? bound : DoublePoint.nextDown(bound);
      return DoublePoint.newRangeQuery(field + " number", lowest, highest);
    }
  }
}
